import { ALLOW_LIST, DATA_MISSING, UNTOLD_ALLOW_LIST } from "./shared-rules.ts";
import {
  bring,
  byEnd,
  byHeirship,
  downMembers,
  isLost,
  isRunning,
  type Rule,
  step,
  wait,
} from "./situation.ts";
import { JOIN_VPC, LEAVE_VPC, RELAYS } from "./vpc-rules.ts";

/** How a service that was ready once comes to rest, so that it wakes up without having lost anything. */
export const STOPPING: readonly Rule[] = [
  ALLOW_LIST,
  LEAVE_VPC,
  DATA_MISSING,
  {
    sentence: "The pooler goes first, and tells its clients so.",
    decide: ({ observed }) => (observed.pooler.state === "absent" ? null : step({ kind: "removePooler" })),
  },
  {
    sentence: "A member that is frozen or cut off cannot stop cleanly, and is ended.",
    decide: ({ observed }) => {
      const lost = observed.members.find(isLost);
      return lost ? step({ kind: "endMember", ordinal: lost.ordinal }) : null;
    },
  },
  {
    sentence:
      "While nobody leads, members that do not answer are waited for: one may be a primary that is stopping.",
    decide: ({ observed, primary }) => {
      const silent = observed.members.find(
        (member) => isRunning(member) && member.postgres === null && member.hasDatabase !== false,
      );
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
  JOIN_VPC,
  RELAYS,
];
