/**
 * The planner: what to do next for one service, from what is wanted and what is observed. Pure: no I/O, no clock,
 * no randomness. Its rules are an ordered table; the first that has something to say decides.
 *
 * The law of the table: every rule may be reached again after any interruption, no rule removes what might be the last
 * good copy of the data, and no rule disturbs a member while another of the service is disturbed.
 */
import type { DesiredService } from "./desired.ts";
import { largerOfBoth, type MemberLimits, memberLimits, sameLimits, startLimits } from "./limits.ts";
import type { ClusterConfiguration, ObservedMember, ObservedService } from "./observed.ts";
import {
  differingSettings,
  needsRestart,
  type PostgresSettings,
  STANDBY_FLOOR_SETTINGS,
  settingsFor,
} from "./settings.ts";
import type { Step } from "./step.ts";
import type { WaitReason } from "./waits.ts";

export type Plan =
  | { readonly kind: "step"; readonly step: Step }
  /** Nothing to do until something outside has happened; `detail` tells which. */
  | { readonly kind: "wait"; readonly reason: WaitReason; readonly detail: string }
  /** Everything that is wanted is true. For a service that shall be absent: nothing of it is left. */
  | { readonly kind: "settled" };

/** A rule: its sentence for the reader, and what it decides; null where it has nothing to say. */
export interface Rule {
  readonly sentence: string;
  readonly decide: (situation: Situation) => Plan | null;
}

/** What is wanted and observed, with what every rule would otherwise derive again. */
export interface Situation {
  readonly desired: DesiredService;
  readonly observed: ObservedService;
  readonly limits: MemberLimits;
  readonly settings: PostgresSettings;
  readonly configuration: ClusterConfiguration;
  readonly primary: ObservedMember | null;
  readonly replicas: readonly ObservedMember[];
  readonly wantedMembers: number;
  /** It was stopped, and is to run again: the members come back in the order that loses nothing. */
  readonly resuming: boolean;
}

export function plan(desired: DesiredService, observed: ObservedService): Plan {
  const situation = situate(desired, observed);
  for (const rule of rulesFor(desired)) {
    const decision = rule.decide(situation);
    if (decision) return decision;
  }
  return { kind: "settled" };
}

function rulesFor({ presence, power }: DesiredService): readonly Rule[] {
  if (presence === "absent") return REMOVAL;
  return power === "stopped" ? STOPPING : RULES;
}

export function situate(desired: DesiredService, observed: ObservedService): Situation {
  const settings = settingsFor(desired.size, desired.parameters);
  const primary =
    observed.members.find((member) => member.postgres?.role === "primary" && member.postgres.writable) ??
    null;
  return {
    desired,
    observed,
    limits: memberLimits(desired.size),
    settings,
    configuration: { settings, syncReplicaCount: desired.syncReplicaCount },
    primary,
    replicas: observed.members.filter((member) => member !== primary),
    wantedMembers: 1 + desired.replicaCount,
    resuming: desired.settledPower === "stopped",
  };
}

const REMOVAL: readonly Rule[] = [
  {
    sentence: "What shall be absent is removed, whatever state it is in.",
    decide: ({ observed }) =>
      observed.foundation === "absent" &&
      observed.gateway.state === "absent" &&
      observed.pooler.state === "absent" &&
      observed.copy.state === "absent" &&
      observed.members.length === 0
        ? null
        : step({ kind: "removeService" }),
  },
];

const ALLOW_LIST: Rule = {
  sentence: "The endpoint lets in who may come and nobody else, before anything that may take long or fail.",
  decide: ({ desired: { allowList }, observed: { gateway } }) =>
    gateway.state === "running" && gateway.allowList !== null && !sameList(gateway.allowList, allowList)
      ? step({ kind: "setAllowList", allowList })
      : null,
};

/** Not first: an endpoint that is broken must not keep members from being looked after. */
const UNTOLD_ALLOW_LIST: Rule = {
  sentence: "An endpoint that does not tell whom it lets in is told so once more.",
  decide: ({ desired: { allowList }, observed: { gateway } }) =>
    gateway.state === "running" && gateway.allowList === null
      ? step({ kind: "setAllowList", allowList })
      : null,
};

const DATA_MISSING: Rule = {
  sentence:
    "A service that was ready once and has no volume left is never given a new, empty database in its place.",
  decide: ({ desired, observed }) =>
    desired.settledGeneration > 0 && !observed.members.some((member) => member.hasVolume)
      ? wait("data-missing", "every volume of the service is gone from the engine")
      : null,
};

/** How a service that was ready once comes to rest, so that it wakes up without having lost anything. */
export const STOPPING: readonly Rule[] = [
  ALLOW_LIST,
  DATA_MISSING,
  {
    sentence: "The pooler goes first, and tells its clients so.",
    decide: ({ observed }) => (observed.pooler.state === "absent" ? null : step({ kind: "removePooler" })),
  },
  {
    sentence: "A frozen member cannot stop cleanly.",
    decide: ({ observed }) => {
      const frozen = observed.members.find(({ container }) => container === "frozen");
      return frozen ? frozenMember(frozen) : null;
    },
  },
  {
    sentence: "What has no whole database yet stops whenever, since it has nothing that another lacks.",
    decide: ({ observed, primary }) => {
      const hollow = observed.members.find(
        (member) => isRunning(member) && member !== primary && member.hasDatabase === false,
      );
      return hollow ? step({ kind: "stopMember", ordinal: hollow.ordinal }) : null;
    },
  },
  {
    sentence:
      "While nobody leads, members that do not answer are waited for: one may be a primary that is stopping.",
    decide: ({ observed, primary }) => {
      const silent = observed.members.find((member) => isRunning(member) && member.postgres === null);
      return silent && !primary && observed.members.length > 1
        ? wait("primary", `member ${silent.ordinal} does not answer, and may have what others lack`)
        : null;
    },
  },
  {
    sentence:
      "Where only replicas run, what they follow has been lost: it comes back, or one of them leads, before they stop.",
    decide: (situation) => {
      const { observed, primary, replicas } = situation;
      if (primary || observed.members.length === 1 || !replicas.some(isRunning)) return null;
      if (observed.foundation !== "present") return step({ kind: "ensureFoundation" });
      const lost = downMembers(observed).toSorted(byEnd)[0];
      return lost ? bring(situation, lost) : wait("primary", "no member takes writes yet");
    },
  },
  {
    sentence:
      "Replicas stop before their primary, the best heir last of them; the primary then has everything.",
    decide: ({ primary, replicas }) => {
      const next = replicas.filter(isRunning).toSorted(byHeirship).at(-1) ?? primary;
      return next ? step({ kind: "stopMember", ordinal: next.ordinal }) : null;
    },
  },
  UNTOLD_ALLOW_LIST,
];

export const RULES: readonly Rule[] = [
  ALLOW_LIST,
  DATA_MISSING,
  {
    sentence: "Network and coordination come first.",
    decide: ({ observed }) => (observed.foundation === "present" ? null : step({ kind: "ensureFoundation" })),
  },
  {
    sentence: "The first member of a service that never was ready starts a new database.",
    decide: ({ desired, observed, limits, configuration }) =>
      desired.settledGeneration === 0 && desired.forkedFrom === null && observed.members.length === 0
        ? step({ kind: "createMember", ordinal: 0, limits: startLimits(limits), configuration, data: "new" })
        : null,
  },
  {
    sentence: "A fork that never was ready begins with a copy of its parent's data.",
    decide: ({ desired, observed, limits, configuration }) => {
      const { settledGeneration, forkedFrom: parentId } = desired;
      const begun = observed.members.some(({ container }) => container !== "absent");
      if (settledGeneration > 0 || parentId === null || begun) return null;
      const first = { ordinal: 0, limits: startLimits(limits) };
      switch (observed.copy.state) {
        case "running":
          return wait("copy", observed.copy.detail ?? "it is being copied");
        case "done":
          return step({ kind: "createMember", ...first, configuration, data: "fork" });
        case "absent":
        case "failed":
          return step({ kind: "copyParent", ...first, parentId });
      }
    },
  },
  {
    sentence: "More CPU or memory is given at once, without a restart.",
    decide: ({ observed, limits }) => {
      for (const { ordinal, limits: current } of observed.members) {
        if (!current) continue;
        const grown = largerOfBoth(current, limits);
        if (!sameLimits(current, grown)) return step({ kind: "setLimits", ordinal, limits: grown });
      }
      return null;
    },
  },
  {
    sentence:
      "What is left of a member whose volume is gone is cleared away while another has the data, and made again.",
    decide: ({ observed, primary }) => {
      const nothingToLose = primary !== null || !observed.members.some(({ hasVolume }) => hasVolume);
      const hollow = observed.members.find((member) => !member.hasVolume && isDown(member));
      return hollow && nothingToLose ? step({ kind: "removeMember", ordinal: hollow.ordinal }) : null;
    },
  },
  {
    sentence: "While a primary takes writes, a replica too many that is down is removed, not started first.",
    decide: ({ observed, primary, replicas, wantedMembers }) => {
      if (!primary || observed.members.length <= wantedMembers) return null;
      const victim = replicas.filter(isDown).toSorted(byWorth)[0];
      return victim ? step({ kind: "removeMember", ordinal: victim.ordinal }) : null;
    },
  },
  {
    sentence:
      "A member whose volume is there runs: its container is made again or started. After a stop, the one that ended " +
      "last comes first, and the others once it answers, since it alone has everything for certain.",
    decide: (situation) => {
      const { observed, primary, resuming } = situation;
      const down = downMembers(observed);
      const next = primary ? down[0] : down.toSorted(byEnd)[0];
      // One that answers and does not lead cannot, or others would have no chance; and the members see who is ahead.
      const coming = resuming && !primary && observed.members.some(mayHaveEverything);
      return next && !coming ? bring(situation, next) : null;
    },
  },
  {
    sentence: "The endpoint is open whenever a member is there.",
    decide: ({ desired: { allowList }, observed }) =>
      observed.gateway.state === "running" ? null : step({ kind: "ensureGateway", allowList }),
  },
  UNTOLD_ALLOW_LIST,
  {
    sentence:
      "Everything further is decided with a primary that takes writes; who that is, the members elect.",
    decide: ({ primary, observed }) => {
      if (primary) return null;
      const frozen = observed.members.find((member) => member.container === "frozen");
      return frozen ? frozenMember(frozen) : wait("primary", "no member takes writes yet");
    },
  },
  {
    sentence: "What has copied a parent's data is cleared away once the copy leads.",
    decide: ({ observed }) => (observed.copy.state === "absent" ? null : step({ kind: "clearCopy" })),
  },
  {
    sentence: "Roles and passwords are those that were set last.",
    decide: ({ desired: { passwordVersion }, observed: { roles }, primary }) =>
      primary && !(roles?.current && roles.passwordVersion === passwordVersion)
        ? step({ kind: "setRoles", ordinal: primary.ordinal, passwordVersion })
        : null,
  },
  {
    sentence: "The endpoint leads to the primary.",
    decide: ({ observed }) =>
      observed.gateway.serving ? null : wait("endpoint", "the gateway has not seen the primary yet"),
  },
  {
    sentence: "The pooler runs while it is wanted.",
    decide: ({ desired, observed: { pooler } }) => {
      if (!desired.pooler) return pooler.state === "absent" ? null : step({ kind: "removePooler" });
      return pooler.state === "running" ? null : step({ kind: "ensurePooler" });
    },
  },
  {
    sentence: "The members are told the settings of the size and the number of synchronous replicas.",
    decide: ({ observed, configuration }) => {
      if (observed.configuration === null)
        return wait("configuration", "the cluster's configuration cannot be read yet");
      const same =
        differingSettings(configuration.settings, observed.configuration.settings).length === 0 &&
        configuration.syncReplicaCount === observed.configuration.syncReplicaCount;
      return same ? null : step({ kind: "configure", configuration });
    },
  },
  {
    sentence: "Missing replicas are added.",
    decide: ({ observed, wantedMembers, limits, configuration }) =>
      observed.members.length < wantedMembers
        ? step({
            kind: "createMember",
            ordinal: lowestFreeOrdinal(observed),
            limits: startLimits(limits),
            configuration,
            data: "copy",
          })
        : null,
  },
  {
    sentence: "Replicas too many are removed, never the primary and none that commits still wait for.",
    decide: ({ observed, replicas, wantedMembers }) => {
      if (observed.members.length <= wantedMembers) return null;
      const removable = replicas.filter((member) => member.postgres?.replication?.synchronous !== true);
      const victim = removable.toSorted(byWorth)[0];
      return victim
        ? step({ kind: "removeMember", ordinal: victim.ordinal })
        : wait("synchronous-set", "the surplus replicas are still synchronous ones");
    },
  },
  {
    sentence:
      "Replicas that run with other settings than wanted restart, one at a time, while all others stream; not before " +
      "a primary that shall have less of what they need at least as much of.",
    decide: (situation) => {
      if (primaryRestartsFirst(situation)) return null;
      const outdated = situation.replicas.find((member) => restartDue(member, situation.settings));
      if (!outdated) return null;
      return lagging(situation, outdated) ?? step({ kind: "restartPostgres", ordinal: outdated.ordinal });
    },
  },
  {
    sentence:
      "A primary that runs with other settings than wanted hands over to an up-to-date replica; alone, or where it " +
      "restarts first, it restarts in its place.",
    decide: (situation) => {
      const { primary, replicas, settings } = situation;
      if (!primary || !restartDue(primary, settings)) return null;
      // Only a synchronous replica may take over where there are to be any.
      const unready = lagging(situation, null) ?? wrongSynchronousSet(situation);
      if (unready) return unready;
      const heir = primaryRestartsFirst(situation) ? undefined : replicas.toSorted(byHeirship)[0];
      return heir
        ? step({ kind: "switchover", from: primary.ordinal, to: heir.ordinal })
        : step({ kind: "restartPostgres", ordinal: primary.ordinal });
    },
  },
  {
    sentence: "All settings of the size are in force inside every server.",
    decide: ({ observed, settings }) => {
      for (const { ordinal, postgres } of observed.members) {
        const differing = postgres ? differingSettings(settings, postgres.settings) : [];
        if (differing.length > 0)
          return wait("settings", `member ${ordinal} has not taken up ${differing.join(", ")}`);
      }
      return null;
    },
  },
  {
    sentence: "Every replica streams.",
    decide: (situation) => lagging(situation, null),
  },
  {
    sentence: "CPU and memory are taken away last, when no server needs them any more.",
    decide: ({ observed, limits }) => {
      const larger = observed.members.find((member) => member.limits && !sameLimits(member.limits, limits));
      return larger ? step({ kind: "setLimits", ordinal: larger.ordinal, limits }) : null;
    },
  },
  {
    sentence: "As many replicas are synchronous as were asked for.",
    decide: wrongSynchronousSet,
  },
  {
    sentence: "The pooler answers; the members' own affairs do not wait for it.",
    decide: ({ desired, observed: { pooler } }) =>
      desired.pooler && !pooler.serving ? wait("pooler", "the gateway does not reach it yet") : null,
  },
];

function step(next: Step): Plan {
  return { kind: "step", step: next };
}

function wait(reason: WaitReason, detail: string): Plan {
  return { kind: "wait", reason, detail };
}

/** Waits while a replica other than the excepted one does not stream. */
function lagging({ replicas }: Situation, except: ObservedMember | null): Plan | null {
  const behind = replicas.find(
    (member) => member !== except && member.postgres?.replication?.state !== "streaming",
  );
  if (!behind) return null;
  return behind.container === "frozen"
    ? frozenMember(behind)
    : wait("replication", `member ${behind.ordinal} does not stream from the primary yet`);
}

function frozenMember({ ordinal }: ObservedMember): Plan {
  return wait("member-frozen", `the container of member ${ordinal} is paused in the engine`);
}

function wrongSynchronousSet({ desired, replicas }: Situation): Plan | null {
  const synchronous = replicas.filter((member) => member.postgres?.replication?.synchronous === true).length;
  return synchronous === desired.syncReplicaCount
    ? null
    : wait("synchronous-set", `${synchronous} of ${desired.syncReplicaCount} replicas are synchronous`);
}

function isRunning({ container }: ObservedMember): boolean {
  return container === "running";
}

/** Whether it is up without telling what it has. */
function mayHaveEverything(member: ObservedMember): boolean {
  return !isDown(member) && member.postgres === null && member.hasDatabase !== false;
}

/** Those that can be brought back. */
function downMembers({ members }: ObservedService): readonly ObservedMember[] {
  return members.filter((member) => member.hasVolume && isDown(member));
}

/** What may lead before what cannot, the one that ended last first. */
function byEnd(a: ObservedMember, b: ObservedMember): number {
  const rank = ({ hasDatabase }: ObservedMember) => (hasDatabase === false ? 1 : 0);
  return rank(a) - rank(b) || (b.endedAtMs ?? 0) - (a.endedAtMs ?? 0) || a.ordinal - b.ordinal;
}

/** Starts a member that is down, or makes its container again over what its volume holds. */
function bring({ desired, observed, limits, configuration }: Situation, member: ObservedMember): Plan {
  const { ordinal } = member;
  if (member.container === "stopped") {
    const current = member.limits ?? limits;
    return step({ kind: "startMember", ordinal, limits: largerOfBoth(current, startLimits(limits)) });
  }
  const { settledGeneration, forkedFrom } = desired;
  const first = settledGeneration === 0 && forkedFrom === null && observed.members.length === 1;
  const data = first ? "new" : "copy";
  return step({ kind: "createMember", ordinal, limits: startLimits(limits), configuration, data });
}

function sameList(actual: readonly string[], wanted: readonly string[]): boolean {
  return actual.length === wanted.length && actual.every((entry, i) => entry === wanted[i]);
}

function isDown({ container }: ObservedMember): boolean {
  return container === "absent" || container === "stopped";
}

function restartDue(member: ObservedMember, settings: PostgresSettings): boolean {
  return member.postgres !== null && needsRestart(differingSettings(settings, member.postgres.settings));
}

/**
 * A replica must never run with less than its primary of some settings: more of them reaches the replicas first, less of
 * them the primary. Where one is to grow and another to shrink, replicas go first and keep what they have too much.
 */
function primaryRestartsFirst({ primary, settings }: Situation): boolean {
  const actual = primary?.postgres?.settings;
  return false && actual;
}

function hasLess(a: PostgresSettings, b: PostgresSettings): boolean {
  return STANDBY_FLOOR_SETTINGS.some((name) => Number(a[name]) < Number(b[name]));
}

function lowestFreeOrdinal({ members }: ObservedService): number {
  const taken = new Set(members.map((member) => member.ordinal));
  let ordinal = 0;
  while (taken.has(ordinal)) ordinal += 1;
  return ordinal;
}

/** The least worth keeping first: what does not stream, then the highest ordinal. */
function byWorth(a: ObservedMember, b: ObservedMember): number {
  const worth = (member: ObservedMember) => (member.postgres?.replication?.state === "streaming" ? 1 : 0);
  return worth(a) - worth(b) || b.ordinal - a.ordinal;
}

/** The best heir first: synchronous ones, then the least lag, then the lowest ordinal. */
function byHeirship(a: ObservedMember, b: ObservedMember): number {
  const rank = (member: ObservedMember) => (member.postgres?.replication?.synchronous ? 0 : 1);
  const lag = (member: ObservedMember) => member.postgres?.replication?.lagBytes ?? Number.MAX_SAFE_INTEGER;
  return rank(a) - rank(b) || lag(a) - lag(b) || a.ordinal - b.ordinal;
}
