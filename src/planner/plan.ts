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
import { differingSettings, needsRestart, type PostgresSettings, settingsForSize } from "./settings.ts";
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
  const settings = { ...settingsForSize(desired.size), ...desired.parameters };
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

const DATA_MISSING: Rule = {
  sentence:
    "A service that was ready once and has no volume left is never given a new, empty database in its place.",
  decide: ({ desired, observed }) =>
    desired.settledGeneration > 0 && !observed.members.some((member) => member.hasVolume)
      ? wait("data-missing", "every volume of the service is gone from the engine")
      : null,
};

const ALLOW_LIST: Rule = {
  sentence: "The endpoint lets in who may come, and nobody else.",
  decide: ({ desired, observed }) =>
    observed.gateway.state === "running" && !sameList(observed.gateway.allowList, desired.allowList)
      ? step({ kind: "setAllowList", allowList: desired.allowList })
      : null,
};

/** How a service comes to rest, so that it wakes up without having lost anything. */
const STOPPING: readonly Rule[] = [
  DATA_MISSING,
  ALLOW_LIST,
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
    sentence: "Which of several members has everything is known before any of them stops.",
    decide: ({ observed, primary }) => {
      const running = observed.members.filter(isRunning);
      return primary === null && running.length > 0 && observed.members.length > 1
        ? wait("primary", "it has to be known which member has everything before they stop")
        : null;
    },
  },
  {
    sentence: "Replicas stop before their primary, which stops last and has everything.",
    decide: ({ observed, primary }) => {
      const running = observed.members.filter(isRunning);
      const next = running.find((member) => member !== primary) ?? running[0];
      return next ? step({ kind: "stopMember", ordinal: next.ordinal }) : null;
    },
  },
];

export const RULES: readonly Rule[] = [
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
      "A member whose volume is there runs: its container is made again or started. After a stop, the one that stopped " +
      "last comes first and leads, since it has everything.",
    decide: ({ desired, observed, primary, resuming, limits, configuration }) => {
      if (resuming && primary === null && observed.members.some(isRunning)) return null;
      const allDown = observed.members.filter((member) => member.hasVolume && isDown(member));
      const down = resuming && primary === null ? allDown.toSorted(byEnd)[0] : allDown[0];
      if (!down) return null;
      if (down.container === "stopped") {
        const current = down.limits ?? limits;
        const { ordinal } = down;
        return step({ kind: "startMember", ordinal, limits: largerOfBoth(current, startLimits(limits)) });
      }
      const first = desired.settledGeneration === 0 && observed.members.length === 1;
      return step({
        kind: "createMember",
        ordinal: down.ordinal,
        limits: startLimits(limits),
        configuration,
        data: first ? (desired.forkedFrom === null ? "new" : "fork") : "copy",
      });
    },
  },
  {
    sentence: "The endpoint is open whenever a member is there.",
    decide: ({ desired: { allowList }, observed }) =>
      observed.gateway.state === "running" ? null : step({ kind: "ensureGateway", allowList }),
  },
  ALLOW_LIST,
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
      if (pooler.state !== "running") return step({ kind: "ensurePooler" });
      return pooler.serving ? null : wait("pooler", "the gateway does not reach it yet");
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
      "Replicas that run with settings of another size restart, one at a time, while all others stream.",
    decide: (situation) => {
      const outdated = situation.replicas.find((member) => restartDue(member, situation.settings));
      if (!outdated) return null;
      return lagging(situation, outdated) ?? step({ kind: "restartPostgres", ordinal: outdated.ordinal });
    },
  },
  {
    sentence:
      "A primary that runs with settings of another size hands over to an up-to-date replica, or restarts alone.",
    decide: (situation) => {
      const { primary, replicas, settings } = situation;
      if (!primary || !restartDue(primary, settings)) return null;
      // Only a synchronous replica may take over where there are to be any.
      const unready = lagging(situation, null) ?? wrongSynchronousSet(situation);
      if (unready) return unready;
      const heir = replicas.toSorted(byHeirship)[0];
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

/** The one that ended last first. */
function byEnd(a: ObservedMember, b: ObservedMember): number {
  return (b.endedAtMs ?? 0) - (a.endedAtMs ?? 0) || a.ordinal - b.ordinal;
}

function sameList(actual: readonly string[] | null, wanted: readonly string[]): boolean {
  return (
    actual !== null && actual.length === wanted.length && actual.every((entry, i) => entry === wanted[i])
  );
}

function isDown({ container }: ObservedMember): boolean {
  return container === "absent" || container === "stopped";
}

function restartDue(member: ObservedMember, settings: PostgresSettings): boolean {
  return member.postgres !== null && needsRestart(differingSettings(settings, member.postgres.settings));
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
