/** When a change that cannot be brought into force is taken back, so that no service stays between two states. Pure. */
import { sizeInWords, sizeNotation } from "../contract/size.ts";
import type { DesiredService, Sizing } from "./desired.ts";
import { describeStep, type Step, type StepKind } from "./step.ts";
import type { WaitReason } from "./waits.ts";

/** What stands in the way now. */
export type Trouble =
  /** The step has failed, or shown no effect, so many times in a row. */
  | { readonly kind: "step"; readonly step: Step; readonly why: string; readonly times: number }
  | { readonly kind: "wait"; readonly reason: Obstacle; readonly detail: string; readonly forMs: number };

/** What the planner waits for, or a step that cannot be done yet. */
export type Obstacle = WaitReason | `step:${StepKind}`;

export type GivenUp =
  | { readonly kind: "sizing"; readonly to: Sizing; readonly why: string }
  | { readonly kind: "hand-over"; readonly why: string };

/** More than a member that is busy or an engine that is restarted explains. */
const MOST_FAILURES: Partial<Readonly<Record<StepKind, number>>> = {
  setLimits: 3,
  restartPostgres: 3,
  fitMember: 3,
  switchover: 5,
  startMember: 5,
};

/** Where a member has not come back by then, it is for what it was restarted with. Milliseconds. */
const PATIENCE_MS: Partial<Readonly<Record<Obstacle, number>>> = {
  primary: 10_000,
  answer: 60_000,
  "step:takeUpSettings": 60_000,
  "step:restartPostgres": 120_000,
  "step:fitMember": 120_000,
  "step:switchover": 60_000,
};

/** null while what is wanted may still come true, or nothing is left to go back to. */
export function givesUp(desired: DesiredService, trouble: Trouble): GivenUp | null {
  const { presence, power, settledSizing, handOverFrom } = desired;
  if (presence === "absent" || power === "stopped" || !isHopeless(trouble)) return null;
  const why =
    trouble.kind === "step" ? `${describeStep(trouble.step)} failed: ${trouble.why}` : trouble.detail;
  if (settledSizing && !sameSizing(settledSizing, desired)) return { kind: "sizing", to: settledSizing, why };
  const handsOver = trouble.kind === "step" ? trouble.step.kind : trouble.reason;
  return handOverFrom !== null && (handsOver === "switchover" || handsOver === "step:switchover")
    ? { kind: "hand-over", why }
    : null;
}

/** The sentence that events tell. */
export function describeGivenUp(given: GivenUp, { size }: DesiredService): string {
  if (given.kind === "hand-over")
    return `The lead stays where it is, since it could not be handed over: ${given.why}`;
  return sizeNotation(size) === sizeNotation(given.to.size)
    ? `The parameters go back to what they were, since the new ones could not be brought into force: ${given.why}`
    : `The size goes back to ${sizeInWords(given.to.size)}, since ${sizeInWords(size)} could not be brought into force: ${given.why}`;
}

function isHopeless(trouble: Trouble): boolean {
  return trouble.kind === "step"
    ? trouble.times >= (MOST_FAILURES[trouble.step.kind] ?? Infinity)
    : trouble.forMs >= (PATIENCE_MS[trouble.reason] ?? Infinity);
}

export function sameSizing(a: Sizing, b: Sizing): boolean {
  const names = new Set([...Object.keys(a.parameters), ...Object.keys(b.parameters)]);
  return (
    sizeNotation(a.size) === sizeNotation(b.size) &&
    [...names].every((name) => a.parameters[name] === b.parameters[name])
  );
}
