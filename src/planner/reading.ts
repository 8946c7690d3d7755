import { largerOfBoth, startLimits } from "./limits.ts";
import type { ObservedMember } from "./observed.ts";
import {
  differingSettings,
  needsRestart,
  type PostgresSettings,
  STANDBY_FLOOR_SETTINGS,
} from "./settings.ts";
import {
  ALLOW_LIST,
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
  byWorth,
  isDown,
  lowestFreeOrdinal,
  type Rule,
  type Situation,
  step,
  streams,
  wait,
} from "./situation.ts";

/**
 * How a set of members that only read comes to be as it was asked for. They are equals: each follows the primary of
 * another service by itself, and none has anything that the primary does not have. So any of them may be made again.
 */
export const READING: readonly Rule[] = [
  ALLOW_LIST,
  {
    sentence: "They stand on the ground of the service that they read from.",
    decide: ({ observed }) =>
      observed.foundation === "present"
        ? null
        : wait("parent", "its network is not there, or has no places for others"),
  },
  GROWTH,
  {
    sentence: "What is left of a member without a volume is cleared away.",
    decide: ({ observed }) => {
      const hollow = observed.members.find((member) => !member.hasVolume && isDown(member));
      return hollow ? step({ kind: "removeMember", ordinal: hollow.ordinal }) : null;
    },
  },
  {
    sentence: "Members too many are removed, those that do not stream first.",
    decide: ({ observed, wantedMembers }) => {
      const [victim] = observed.members.toSorted(byWorth);
      return victim && observed.members.length > wantedMembers
        ? step({ kind: "removeMember", ordinal: victim.ordinal })
        : null;
    },
  },
  {
    sentence: "A member that is down is started, or its container made again over its volume.",
    decide: (situation) => {
      const down = situation.observed.members.find(isDown);
      if (!down) return null;
      const { ordinal, container, limits } = down;
      if (container === "absent") return create(situation, ordinal);
      const starting = startLimits(situation.limits);
      return step({ kind: "startMember", ordinal, limits: largerOfBoth(limits ?? starting, starting) });
    },
  },
  LOST_MEMBER,
  OPEN_ENDPOINT,
  UNTOLD_ALLOW_LIST,
  {
    sentence: "Missing members are added, all at once.",
    decide: (situation) =>
      situation.observed.members.length < situation.wantedMembers
        ? create(situation, lowestFreeOrdinal(situation.observed))
        : null,
  },
  POOLER,
  {
    sentence:
      "Members with other settings than wanted are told them, and restart one at a time, while all others stream.",
    decide: (situation) => {
      for (const member of situation.observed.members) {
        const settings = settingsOf(situation, member);
        const differing = differingSettings(settings, member.postgres?.settings ?? settings);
        if (differing.length === 0) continue;
        const fit = { kind: "fitMember", ordinal: member.ordinal, settings } as const;
        if (!needsRestart(differing)) return step({ ...fit, restart: false });
        const behind = situation.observed.members.find((other) => other !== member && !streams(other));
        return behind ? unanswered(behind) : step({ ...fit, restart: true });
      }
      return null;
    },
  },
  {
    sentence: "Every member streams.",
    decide: ({ observed }) => {
      const behind = observed.members.find((member) => !streams(member));
      return behind ? unanswered(behind) : null;
    },
  },
  SHRINKAGE,
  {
    sentence: "The endpoint leads to them.",
    decide: ({ observed }) =>
      observed.gateway.serving ? null : wait("endpoint", "the gateway has not seen them yet"),
  },
  POOLER_ANSWERS,
  ROOM_ON_DISK,
];

function create({ limits, configuration }: Situation, ordinal: number) {
  return step({ kind: "createMember", ordinal, limits: startLimits(limits), configuration, data: "copy" });
}

/**
 * Those of its own size; but what a standby must have as much of as its primary is told to the whole cluster, and more of
 * it than that does no harm.
 */
function settingsOf({ observed, settings }: Situation, { postgres }: ObservedMember): PostgresSettings {
  const told = observed.configuration?.settings ?? {};
  const floors = STANDBY_FLOOR_SETTINGS.map((name) => {
    const [wanted, actual] = [told[name], postgres?.settings[name]];
    const suffices = wanted === undefined || Number(actual) >= Number(wanted);
    return [name, (suffices ? actual : wanted) ?? settings[name] ?? ""];
  });
  return { ...settings, ...Object.fromEntries(floors) };
}
