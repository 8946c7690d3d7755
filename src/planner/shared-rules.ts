/** Rules of every service that shall be present, whether it runs or not. */
import { type Plan, type Rule, type Situation, step, wait } from "./situation.ts";
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

function tellList(situation: Situation): Plan {
  const { allowList } = situation.desired;
  const vpcRanges = wantedVpcRanges(situation);
  return step({ kind: "setAllowList", allowList, ...(vpcRanges.length > 0 ? { vpcRanges } : {}) });
}

function sameList(actual: readonly string[], wanted: readonly string[]): boolean {
  return actual.length === wanted.length && actual.every((entry, i) => entry === wanted[i]);
}
