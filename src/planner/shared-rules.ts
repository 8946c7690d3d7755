/** Rules that hold whether a service runs or not, and whether it has a primary or only reads. */
import { largerOfBoth, sameLimits } from "./limits.ts";
import type { ObservedMember } from "./observed.ts";
import { isLost, type Plan, type Rule, type Situation, step, wait } from "./situation.ts";
import { wantedVpcRanges } from "./vpc-rules.ts";

export const ALLOW_LIST: Rule = {
  sentence: "The endpoint lets in who may come and nobody else, before anything that may take long or fail.",
  decide: (situation) => {
    const { gateway, vpc } = situation.observed;
    const told =
      gateway.allowList !== null &&
      sameList(gateway.allowList, situation.desired.allowList) &&
      sameList(vpc?.ranges ?? [], wantedVpcRanges(situation));
    return gateway.state === "running" && gateway.allowList !== null && !told ? tellList(situation) : null;
  },
};

/** Not first: an endpoint that is broken must not keep members from being looked after. */
export const UNTOLD_ALLOW_LIST: Rule = {
  sentence: "An endpoint that does not tell whom it lets in is told so once more.",
  decide: (situation) => {
    const { gateway } = situation.observed;
    return gateway.state === "running" && gateway.allowList === null ? tellList(situation) : null;
  },
};

export const DATA_MISSING: Rule = {
  sentence:
    "A service that was ready once and has no volume left is never given a new, empty database in its place.",
  decide: ({ desired, observed }) =>
    desired.settledGeneration > 0 && !observed.members.some((member) => member.hasVolume)
      ? wait("data-missing", "every volume of the service is gone from the engine")
      : null,
};

export const GROWTH: Rule = {
  sentence: "More CPU or memory is given at once, without a restart.",
  decide: ({ observed, limits }) => {
    for (const { ordinal, limits: current } of observed.members) {
      if (!current) continue;
      const grown = largerOfBoth(current, limits);
      if (!sameLimits(current, grown)) return step({ kind: "setLimits", ordinal, limits: grown });
    }
    return null;
  },
};

export const SHRINKAGE: Rule = {
  sentence: "CPU and memory are taken away last, when no server needs them any more.",
  decide: ({ observed, limits }) => {
    const larger = observed.members.find((member) => member.limits && !sameLimits(member.limits, limits));
    return larger ? step({ kind: "setLimits", ordinal: larger.ordinal, limits }) : null;
  },
};

export const LOST_MEMBER: Rule = {
  sentence:
    "A member that is frozen or cut off takes no part: it is ended, and then starts where it belongs.",
  decide: ({ observed }) => {
    const lost = observed.members.find(isLost);
    return lost ? step({ kind: "endMember", ordinal: lost.ordinal }) : null;
  },
};

export const OPEN_ENDPOINT: Rule = {
  sentence: "The endpoint is open whenever a member is there.",
  decide: ({ desired: { allowList }, observed }) =>
    observed.gateway.state === "running" ? null : step({ kind: "ensureGateway", allowList }),
};

export const POOLER: Rule = {
  sentence: "The pooler runs while it is wanted.",
  decide: ({ desired, observed: { pooler } }) => {
    if (!desired.pooler) return pooler.state === "absent" ? null : step({ kind: "removePooler" });
    return pooler.state === "running" ? null : step({ kind: "ensurePooler" });
  },
};

export const POOLER_ANSWERS: Rule = {
  sentence: "The pooler answers; the members' own affairs do not wait for it.",
  decide: ({ desired, observed: { pooler } }) =>
    desired.pooler && !pooler.serving ? wait("pooler", "the gateway does not reach it yet") : null,
};

export const ROOM_ON_DISK: Rule = {
  sentence: "Every disk has room; while one has none, everything else is done all the same.",
  decide: ({ observed }) => {
    const full = observed.members.find(hasFullDisk);
    return full ? fullDisk(full) : null;
  },
};

/** What such a member waits for first, whatever else it lacks. */
export function unanswered(member: ObservedMember): Plan {
  if (hasFullDisk(member)) return fullDisk(member);
  return member.postgres === null && member.hasDatabase !== false
    ? wait("answer", `member ${member.ordinal} does not answer yet`)
    : wait("replication", `member ${member.ordinal} does not stream from the primary yet`);
}

function hasFullDisk({ postgres }: ObservedMember): boolean {
  return postgres?.storage === "low";
}

function fullDisk({ ordinal }: ObservedMember): Plan {
  return wait("storage-full", `the one of member ${ordinal} has next to no room left`);
}

function tellList(situation: Situation): Plan {
  const { allowList } = situation.desired;
  const vpcRanges = wantedVpcRanges(situation);
  return step({ kind: "setAllowList", allowList, ...(vpcRanges.length > 0 ? { vpcRanges } : {}) });
}

function sameList(actual: readonly string[], wanted: readonly string[]): boolean {
  return actual.length === wanted.length && actual.every((entry, i) => entry === wanted[i]);
}
