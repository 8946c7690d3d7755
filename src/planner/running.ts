import { sameSizing } from "./give-up.ts";
import { startLimits } from "./limits.ts";
import type { ObservedMember } from "./observed.ts";
import {
  differingSettings,
  needsRestart,
  type PostgresSettings,
  STANDBY_FLOOR_SETTINGS,
} from "./settings.ts";
import {
  ALLOW_LIST,
  DATA_MISSING,
  GROWTH,
  LOST_MEMBER,
  OPEN_ENDPOINT,
  POOLER,
  POOLER_ANSWERS,
  ROOM_ON_DISK,
  SHRINKAGE,
  UNTOLD_ALLOW_LIST,
  unanswered,
} from "./shared-rules.ts";
import {
  bring,
  byEnd,
  byHeirship,
  byWorth,
  downMembers,
  isDown,
  isSynchronous,
  lowestFreeOrdinal,
  type Plan,
  type Rule,
  type Situation,
  step,
  streams,
  wait,
} from "./situation.ts";
import { JOIN_VPC, LEAVE_VPC, RELAYS, VPC_MISSING } from "./vpc-rules.ts";

/** How a service comes to run as it was asked for, and stays so. */
export const RUNNING: readonly Rule[] = [
  ALLOW_LIST,
  LEAVE_VPC,
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
  GROWTH,
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
  LOST_MEMBER,
  OPEN_ENDPOINT,
  UNTOLD_ALLOW_LIST,
  JOIN_VPC,
  {
    sentence:
      "Where nobody takes writes, the members are told again what they ran with last, since what they were told instead may " +
      "be why; who may lead is not touched.",
    decide: ({ desired, primary, observed, settings }) => {
      const told = observed.configuration;
      const goesBack = desired.settledSizing !== null && sameSizing(desired.settledSizing, desired);
      if (primary || !goesBack || !told || differingSettings(settings, told.settings).length === 0)
        return null;
      return step({ kind: "configure", configuration: { ...told, settings } });
    },
  },
  {
    sentence:
      "Everything further is decided with a primary that takes writes; who that is, the members elect.",
    decide: ({ primary }) => (primary ? null : wait("primary", "no member takes writes yet")),
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
  POOLER,
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
      const removable = replicas.filter(({ postgres }) => {
        const { synchronous = false, trusted = false } = postgres?.replication ?? {};
        return !synchronous && !trusted;
      });
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
      const { primary, settings } = situation;
      if (!primary || !restartDue(primary, settings)) return null;
      const inPlace = step({ kind: "restartPostgres", ordinal: primary.ordinal });
      if (primaryRestartsFirst(situation)) return unready(situation) ?? inPlace;
      return handOver(situation, primary) ?? inPlace;
    },
  },
  {
    sentence: "A primary that was asked to hand over does so, to an up-to-date replica.",
    decide: (situation) => {
      const { desired, primary } = situation;
      return primary && desired.handOverFrom === primary.ordinal ? handOver(situation, primary) : null;
    },
  },
  {
    sentence: "All settings of the size are in force inside every server.",
    decide: ({ observed, settings }) => {
      const outdated = observed.members.find(
        ({ postgres }) => postgres && differingSettings(settings, postgres.settings).length > 0,
      );
      return outdated ? step({ kind: "takeUpSettings", ordinal: outdated.ordinal, settings }) : null;
    },
  },
  {
    sentence: "Every replica streams.",
    decide: (situation) => lagging(situation, null),
  },
  SHRINKAGE,
  {
    sentence: "As many replicas are synchronous as were asked for.",
    decide: wrongSynchronousSet,
  },
  POOLER_ANSWERS,
  RELAYS,
  ROOM_ON_DISK,
  VPC_MISSING,
];

/** To the best heir, once all are ready for it; null where there is none. */
function handOver(situation: Situation, primary: ObservedMember): Plan | null {
  const heir = situation.replicas.toSorted(byHeirship)[0];
  const next = heir && step({ kind: "switchover", from: primary.ordinal, to: heir.ordinal });
  return unready(situation) ?? next ?? null;
}

/** Only a synchronous replica may take over where there are to be any. */
function unready(situation: Situation): Plan | null {
  return lagging(situation, null) ?? wrongSynchronousSet(situation);
}

/** Waits while a replica other than the excepted one does not stream. */
function lagging({ replicas }: Situation, except: ObservedMember | null): Plan | null {
  const behind = replicas.find((member) => member !== except && !streams(member));
  return behind ? unanswered(behind) : null;
}

function wrongSynchronousSet({ desired, replicas }: Situation): Plan | null {
  const synchronous = replicas.filter(isSynchronous).length;
  return synchronous === desired.syncReplicaCount
    ? null
    : wait("synchronous-set", `${synchronous} of ${desired.syncReplicaCount} replicas are synchronous`);
}

/** Whether it is up without telling what it has. */
function mayHaveEverything(member: ObservedMember): boolean {
  return !isDown(member) && member.postgres === null && member.hasDatabase !== false;
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
  return actual !== undefined && hasLess(settings, actual) && !hasLess(actual, settings);
}

function hasLess(a: PostgresSettings, b: PostgresSettings): boolean {
  return STANDBY_FLOOR_SETTINGS.some((name) => Number(a[name]) < Number(b[name]));
}
