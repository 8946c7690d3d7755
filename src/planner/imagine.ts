/**
 * What will be seen once a step has been done, or what is waited for has come true: the ideal course of things, in which
 * nothing breaks. A step leaves on its way what the planner waits for. Pure.
 */
import type { DesiredService } from "./desired.ts";
import {
  type ClusterConfiguration,
  NOTHING,
  type ObservedAttachment,
  type ObservedMember,
  type ObservedPostgres,
  type ObservedReplication,
  type ObservedService,
} from "./observed.ts";
import { needsRestart, type PostgresSettings, STANDBY_FLOOR_SETTINGS, settingsFor } from "./settings.ts";
import { isRunning } from "./situation.ts";
import type { Step } from "./step.ts";
import type { WaitReason } from "./waits.ts";

/** What is observed after the step. */
export function imagineStep(observed: ObservedService, step: Step): ObservedService {
  switch (step.kind) {
    case "ensureFoundation":
      return { ...observed, foundation: "present" };
    case "createMember":
      return created(observed, step);
    case "copyParent":
      return { ...withMember(observed, emptyMember(step.ordinal)), copy: { state: "running" } };
    case "clearCopy":
      return { ...observed, copy: { state: "absent" } };
    case "startMember": {
      const begun = { container: "running", endedAtMs: null, limits: step.limits, postgres: null } as const;
      return changed(observed, step.ordinal, begun);
    }
    case "stopMember":
    case "endMember":
      return ended(observed, step.ordinal);
    case "ensureGateway":
      return {
        ...observed,
        gateway: { state: "running", serving: false, allowList: step.allowList },
      };
    case "setAllowList":
      return {
        ...observed,
        gateway: { ...observed.gateway, allowList: step.allowList },
        ...(observed.vpc ? { vpc: { ...observed.vpc, ranges: step.vpcRanges ?? [] } } : {}),
      };
    case "joinVpc":
    case "leaveVpc":
    case "ensureRelay":
    case "removeRelay":
      return { ...observed, vpc: attached(observed.vpc ?? NOT_ATTACHED, step) };
    case "setRoles":
      return { ...observed, roles: { current: true, passwordVersion: step.passwordVersion } };
    case "ensurePooler":
      return { ...observed, pooler: { state: "running", serving: false } };
    case "removePooler":
      return { ...observed, pooler: NOTHING.pooler };
    case "setLimits":
      return changed(observed, step.ordinal, { limits: step.limits });
    case "configure":
      return { ...observed, configuration: step.configuration };
    case "takeUpSettings":
      return eachServer(observed, (postgres, { ordinal }) =>
        ordinal === step.ordinal ? takenUp(observed, postgres) : postgres,
      );
    case "restartPostgres":
      return changed(observed, step.ordinal, { postgres: null });
    case "fitMember":
      return eachServer(observed, (postgres, { ordinal }) =>
        ordinal === step.ordinal ? { ...postgres, settings: step.settings } : postgres,
      );
    case "switchover":
      return switchedOver(observed, step.from, step.to);
    case "removeMember":
      return {
        ...observed,
        members: observed.members.filter(({ ordinal }) => ordinal !== step.ordinal),
      };
    case "removeService":
      return NOTHING;
  }
}

/** What is observed once the wait is over; null where that is not for the service itself to bring about. */
export function imagineWait(
  observed: ObservedService,
  reason: WaitReason,
  desired: DesiredService,
): ObservedService | null {
  switch (reason) {
    case "primary":
      return cameToRest(observed, desired) ?? elected(observed, desired);
    case "endpoint":
      return { ...observed, gateway: { ...observed.gateway, serving: true } };
    case "pooler":
      return { ...observed, pooler: { ...observed.pooler, serving: true } };
    case "copy":
      return { ...observed, copy: { state: "done" } };
    case "configuration":
      return { ...observed, configuration: toldBefore(observed, desired) };
    case "synchronous-set":
      return synchronized(observed, desired);
    case "answer":
    case "replication":
      return streaming(observed, desired);
    case "parent":
    case "vpc":
    case "storage-full":
    case "data-missing":
      return null;
  }
}

const NOT_ATTACHED: ObservedAttachment = { joined: [], ranges: [], relays: [] };

function attached(
  before: ObservedAttachment,
  step: Extract<Step, { kind: "joinVpc" | "leaveVpc" | "ensureRelay" | "removeRelay" }>,
): ObservedAttachment {
  switch (step.kind) {
    case "joinVpc":
      return { ...before, joined: [...before.joined, step.vpcId] };
    case "leaveVpc":
      return { ...before, joined: before.joined.filter((vpcId) => vpcId !== step.vpcId) };
    case "ensureRelay":
    case "removeRelay": {
      const { peeringId } = step;
      const others = before.relays.filter((relay) => relay.peeringId !== peeringId);
      const made = step.kind === "ensureRelay" ? [{ peeringId, running: true }] : [];
      return { ...before, relays: [...others, ...made] };
    }
  }
}

type CreateMember = Extract<Step, { kind: "createMember" }>;

function created(observed: ObservedService, step: CreateMember): ObservedService {
  const { ordinal, limits, configuration, data } = step;
  const before = observed.members.find((member) => member.ordinal === ordinal);
  const begun = withMember(observed, {
    ...emptyMember(ordinal),
    container: "running",
    limits,
    // What its volume holds already is not copied again.
    ...(before?.hasVolume || data === "fork" ? {} : { hasDatabase: false }),
  });
  return data === "copy" ? begun : { ...begun, configuration };
}

function emptyMember(ordinal: number): ObservedMember {
  return { ordinal, hasVolume: true, container: "absent", endedAtMs: null, limits: null, postgres: null };
}

/** In place of one of that ordinal, where there is one. */
function withMember(observed: ObservedService, member: ObservedMember): ObservedService {
  const others = observed.members.filter(({ ordinal }) => ordinal !== member.ordinal);
  return { ...observed, members: [...others, member].toSorted((a, b) => a.ordinal - b.ordinal) };
}

function changed(
  observed: ObservedService,
  ordinal: number,
  changes: Partial<ObservedMember>,
): ObservedService {
  return {
    ...observed,
    members: observed.members.map((member) =>
      member.ordinal === ordinal ? { ...member, ...changes } : member,
    ),
  };
}

function eachServer(
  observed: ObservedService,
  change: (postgres: ObservedPostgres, member: ObservedMember) => ObservedPostgres,
): ObservedService {
  return {
    ...observed,
    members: observed.members.map((member) =>
      member.postgres ? { ...member, postgres: change(member.postgres, member) } : member,
    ),
  };
}

/** It has ended after all that ended before; where it led, nobody does now, and replicas follow nobody. */
function ended(observed: ObservedService, ordinal: number): ObservedService {
  const led = observed.members.some((member) => member.ordinal === ordinal && isPrimary(member));
  const last = Math.max(0, ...observed.members.map(({ endedAtMs }) => endedAtMs ?? 0));
  const after = changed(observed, ordinal, { container: "stopped", postgres: null, endedAtMs: last + 1 });
  if (!led) return after;
  const alone = eachServer(after, (postgres) => ({ ...postgres, replication: null }));
  return { ...alone, gateway: { ...alone.gateway, serving: false }, roles: null };
}

/** The heir leads at once; the old primary comes back as its replica, which is waited for. */
function switchedOver(observed: ObservedService, from: number, to: number): ObservedService {
  return eachServer(changed(observed, from, { postgres: null }), (postgres, { ordinal }) =>
    ordinal === to ? leading(postgres) : postgres,
  );
}

/** Of a service that stops: where all that still run are silent, they are what is ending. null: it does not. */
function cameToRest(observed: ObservedService, { power }: DesiredService): ObservedService | null {
  const running = observed.members.filter(isRunning);
  const ending = running.length > 0 && running.every(({ postgres }) => postgres === null);
  return power === "stopped" && ending
    ? running.reduce((current, { ordinal }) => ended(current, ordinal), observed)
    : null;
}

/**
 * One that answers takes over from one that is silent. Only where replicas still have more than is told of what they need
 * at least as much of, the silent one restarts in its place, and keeps its lead.
 */
function elected(observed: ObservedService, desired: DesiredService): ObservedService | null {
  const configuration = toldBefore(observed, desired);
  const running = observed.members.filter(isRunning);
  const keepsLead = running.some(({ postgres }) => postgres && isAbove(postgres, configuration.settings));
  const rank = ({ postgres, hasDatabase }: ObservedMember) => {
    if (postgres?.role === "primary") return 0;
    if (hasDatabase === false) return 3;
    return (postgres === null) === keepsLead ? 1 : 2;
  };
  const [heir] = running.toSorted((a, b) => rank(a) - rank(b) || a.ordinal - b.ordinal);
  if (!heir) return null;
  const postgres = leading(heir.postgres ?? server(configuration.settings));
  const led = changed(observed, heir.ordinal, { hasVolume: true, hasDatabase: true, postgres });
  return {
    ...led,
    configuration,
    // What is inside databases that do not run is not known: it is taken for what is wanted.
    roles: observed.roles ?? { current: true, passwordVersion: desired.passwordVersion },
    gateway: { ...observed.gateway, serving: observed.gateway.state === "running" },
  };
}

/**
 * What the members are told. Where that cannot be read, those that were stopped were told what was in force before, and those
 * that are silent for another reason what is wanted.
 */
function toldBefore({ configuration }: ObservedService, desired: DesiredService): ClusterConfiguration {
  if (configuration) return configuration;
  const { settledPower, settledSizing, syncReplicaCount } = desired;
  const { size, parameters } = (settledPower === "stopped" ? settledSizing : null) ?? desired;
  return { settings: settingsFor(size, parameters), syncReplicaCount };
}

function leading(postgres: ObservedPostgres): ObservedPostgres {
  return {
    ...postgres,
    role: "primary",
    writable: true,
    timeline: postgres.timeline + 1,
    replication: null,
  };
}

/** One that has just started with these settings. */
function server(settings: PostgresSettings): ObservedPostgres {
  return {
    role: "replica",
    writable: false,
    timeline: 1,
    settings,
    storage: "enough",
    replication: null,
  };
}

/** Every member that runs follows the primary; one that did not answer has started with what the members were told. */
function streaming(observed: ObservedService, desired: DesiredService): ObservedService {
  const settings =
    desired.readsFrom === null
      ? toldBefore(observed, desired).settings
      : settingsFor(desired.size, desired.parameters);
  const primary = observed.members.find(isPrimary)?.postgres ?? null;
  const fresh = server(primary ? atLeastAsMuch(settings, primary.settings) : settings);
  return {
    ...observed,
    members: observed.members.map((member) => {
      if (isPrimary(member) || !isRunning(member)) return member;
      const postgres = member.postgres ?? { ...fresh, timeline: primary?.timeline ?? fresh.timeline };
      const replication = following(postgres.replication);
      return { ...member, hasDatabase: true, postgres: { ...postgres, replication } };
    }),
  };
}

function following(before: ObservedReplication | null): ObservedReplication {
  const { synchronous, trusted } = before ?? { synchronous: false, trusted: false };
  return { state: "streaming", synchronous, trusted, lagBytes: before?.lagBytes ?? 0 };
}

function isAbove({ settings }: ObservedPostgres, told: PostgresSettings): boolean {
  return STANDBY_FLOOR_SETTINGS.some((name) => Number(settings[name]) > Number(told[name]));
}

/** A replica is never started with less than its primary of what it needs at least as much of. */
function atLeastAsMuch(told: PostgresSettings, primarys: PostgresSettings): PostgresSettings {
  const floors = STANDBY_FLOOR_SETTINGS.filter((name) => Number(told[name]) < Number(primarys[name]));
  return { ...told, ...Object.fromEntries(floors.map((name) => [name, primarys[name] ?? ""])) };
}

/** What was told, but for what a server takes up only at a restart. */
function takenUp({ configuration }: ObservedService, postgres: ObservedPostgres): ObservedPostgres {
  const live = Object.entries(configuration?.settings ?? {}).filter(([name]) => !needsRestart([name]));
  return { ...postgres, settings: { ...postgres.settings, ...Object.fromEntries(live) } };
}

/** Those that are synchronous stay so while they stream; others fill the places up to the number asked for. */
function synchronized(observed: ObservedService, { syncReplicaCount }: DesiredService): ObservedService {
  const rank = ({ postgres }: ObservedMember) => {
    const { synchronous = false, trusted = false } = postgres?.replication ?? {};
    return synchronous || trusted ? 0 : 1;
  };
  const chosen = observed.members
    .filter(({ postgres }) => postgres?.replication?.state === "streaming")
    .toSorted((a, b) => rank(a) - rank(b) || a.ordinal - b.ordinal)
    .slice(0, syncReplicaCount);
  return eachServer(observed, (postgres, member) => {
    const synchronous = chosen.includes(member);
    const { replication } = postgres;
    return {
      ...postgres,
      replication: replication && { ...replication, synchronous, trusted: synchronous },
    };
  });
}

function isPrimary({ postgres }: ObservedMember): boolean {
  return postgres?.role === "primary" && postgres.writable;
}
