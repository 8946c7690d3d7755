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
}

export function plan(desired: DesiredService, observed: ObservedService): Plan {
  const situation = situate(desired, observed);
  for (const rule of desired.presence === "absent" ? REMOVAL : RULES) {
    const decision = rule.decide(situation);
    if (decision) return decision;
  }
  return { kind: "settled" };
}

export function situate(desired: DesiredService, observed: ObservedService): Situation {
  const settings = settingsForSize(desired.size);
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
  };
}

const REMOVAL: readonly Rule[] = [
  {
    sentence: "What shall be absent is removed, whatever state it is in.",
    decide: ({ observed }) =>
      observed.foundation === "absent" && observed.gateway.state === "absent" && observed.members.length === 0
        ? null
        : step({ kind: "removeService" }),
  },
];

export const RULES: readonly Rule[] = [
  {
    sentence:
      "A service that was ready once and has no volume left is never given a new, empty database in its place.",
    decide: ({ desired, observed }) =>
      desired.settledGeneration > 0 && !observed.members.some((member) => member.hasVolume)
        ? wait("data-missing", "every volume of the service is gone from the engine")
        : null,
  },
  {
    sentence: "Network and coordination come first.",
    decide: ({ observed }) => (observed.foundation === "present" ? null : step({ kind: "ensureFoundation" })),
  },
  {
    sentence: "The first member of a service that never was ready starts a new database.",
    decide: ({ desired, observed, limits, configuration }) =>
      desired.settledGeneration === 0 && observed.members.length === 0
        ? step({ kind: "createMember", ordinal: 0, limits: startLimits(limits), configuration, data: "new" })
        : null,
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
    sentence: "A member whose volume is there runs: its container is made again or started.",
    decide: ({ desired, observed, limits, configuration }) => {
      const down = observed.members.find((member) => member.hasVolume && isDown(member));
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
        data: first ? "new" : "copy",
      });
    },
  },
  {
    sentence: "The endpoint is open whenever a member is there.",
    decide: ({ observed }) => (observed.gateway.state === "running" ? null : step({ kind: "ensureGateway" })),
  },
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
    sentence: "The endpoint leads to the primary.",
    decide: ({ observed }) =>
      observed.gateway.serving ? null : wait("endpoint", "the gateway has not seen the primary yet"),
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
