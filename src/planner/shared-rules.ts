/** Rules of every service that shall be present, whether it runs or not. */
import { type Rule, step, wait } from "./situation.ts";

export const ALLOW_LIST: Rule = {
  sentence: "The endpoint lets in who may come and nobody else, before anything that may take long or fail.",
  decide: ({ desired: { allowList }, observed: { gateway } }) =>
    gateway.state === "running" && gateway.allowList !== null && !sameList(gateway.allowList, allowList)
      ? step({ kind: "setAllowList", allowList })
      : null,
};

/** Not first: an endpoint that is broken must not keep members from being looked after. */
export const UNTOLD_ALLOW_LIST: Rule = {
  sentence: "An endpoint that does not tell whom it lets in is told so once more.",
  decide: ({ desired: { allowList }, observed: { gateway } }) =>
    gateway.state === "running" && gateway.allowList === null
      ? step({ kind: "setAllowList", allowList })
      : null,
};

export const DATA_MISSING: Rule = {
  sentence:
    "A service that was ready once and has no volume left is never given a new, empty database in its place.",
  decide: ({ desired, observed }) =>
    desired.settledGeneration > 0 && !observed.members.some((member) => member.hasVolume)
      ? wait("data-missing", "every volume of the service is gone from the engine")
      : null,
};

function sameList(actual: readonly string[], wanted: readonly string[]): boolean {
  return actual.length === wanted.length && actual.every((entry, i) => entry === wanted[i]);
}
