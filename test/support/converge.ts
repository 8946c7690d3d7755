/**
 * A reconciler in its smallest form: observe, plan, execute one step, again; with nothing remembered but what a store
 * would keep. Tests drive platforms with it, on virtual and on real time.
 */
import type { Condition } from "../../src/contract/conditions.ts";
import type { Clock } from "../../src/lib/clock.ts";
import { type Assessment, assess, assessUnobserved, type Waiting } from "../../src/planner/assess.ts";
import type { DesiredService } from "../../src/planner/desired.ts";
import { givesUp, type Trouble } from "../../src/planner/give-up.ts";
import type { ObservedService } from "../../src/planner/observed.ts";
import { plan } from "../../src/planner/plan.ts";
import type { Plan } from "../../src/planner/situation.ts";
import type { Step, StepOutcome } from "../../src/planner/step.ts";
import type { Platform, ServiceIdentity } from "../../src/platforms/platform.ts";
import { changed, settledOnce } from "./services.ts";

export interface Pace extends Clock {
  /** Lets time pass: virtually at once, really by waiting. */
  pass(ms: number): Promise<void>;
}

/** What a store keeps of a service between two looks. */
export interface Kept {
  desired: DesiredService;
  waiting: Waiting | null;
  conditions: readonly Condition[];
  /** How often the last step has failed in a row. */
  failures: number;
}

export interface Look {
  readonly observed: ObservedService | null;
  readonly plan: Plan | null;
  readonly assessment: Assessment;
  readonly step: Step | null;
  readonly outcome: StepOutcome | { readonly kind: "broken"; readonly why: string } | null;
}

export interface Surroundings {
  readonly platform: Platform;
  readonly identity: ServiceIdentity;
  readonly pace: Pace;
  /** Sees every step before it is executed. */
  readonly beforeStep?: (step: Step, observed: ObservedService) => void;
}

const POLL_MS = 100;
const BACKOFF_MS = 500;

export function keep(desired: DesiredService): Kept {
  return { desired, waiting: null, conditions: [], failures: 0 };
}

/** Looks once, does at most one step, and lets the time pass that a reconciler would wait. */
export async function lookOnce(kept: Kept, surroundings: Surroundings): Promise<Look> {
  const { platform, identity, pace } = surroundings;
  let observed: ObservedService;
  try {
    observed = await platform.observe(identity);
  } catch (error) {
    const assessment = assessUnobserved(kept.desired, reason(error), kept.conditions, pace.now());
    kept.conditions = assessment.conditions;
    await pace.pass(BACKOFF_MS);
    return { observed: null, plan: null, assessment, step: null, outcome: null };
  }
  const next = plan(kept.desired, observed);
  kept.waiting = waitingFor(next, kept.waiting, pace.now());
  const assessment = assess(kept.desired, observed, next, kept.waiting, kept.conditions, pace.now());
  kept.conditions = assessment.conditions;
  if (next.kind === "settled") kept.desired = settledOnce(kept.desired);
  if (next.kind !== "step") {
    kept.failures = 0;
    if (next.kind === "wait") withdraw(kept, { ...next, forMs: waitedMs(kept, pace.now()) });
    await pace.pass(POLL_MS);
    return { observed, plan: next, assessment, step: null, outcome: null };
  }
  surroundings.beforeStep?.(next.step, observed);
  const outcome = await attempt(next.step, surroundings);
  kept.failures = outcome.kind === "failed" ? kept.failures + 1 : 0;
  if (outcome.kind === "failed")
    withdraw(kept, { kind: "step", step: next.step, why: outcome.why, times: kept.failures });
  if (outcome.kind !== "done") await pace.pass(outcome.kind === "wait" ? POLL_MS : BACKOFF_MS);
  return { observed, plan: next, assessment, step: next.step, outcome };
}

/**
 * Goes on until nothing is left to do. Throws, with what stood in the way, when that takes longer than `limitMs`.
 */
export async function converge(
  kept: Kept,
  surroundings: Surroundings,
  limitMs: number,
  seen: (look: Look) => void = () => undefined,
): Promise<ObservedService> {
  const { pace } = surroundings;
  const deadline = pace.now().getTime() + limitMs;
  let last = "nothing was done";
  while (pace.now().getTime() < deadline) {
    const look = await lookOnce(kept, surroundings);
    seen(look);
    if (look.plan?.kind === "settled" && look.observed) return look.observed;
    const { outcome } = look;
    last = look.assessment.statusReason + (outcome && "why" in outcome ? ` (${outcome.why})` : "");
  }
  throw new Error(`not settled after ${limitMs} ms: ${last}`);
}

async function attempt(
  step: Step,
  { platform, identity }: Surroundings,
): Promise<StepOutcome | { readonly kind: "broken"; readonly why: string }> {
  try {
    return await platform.execute(step, identity);
  } catch (error) {
    return { kind: "broken", why: reason(error) };
  }
}

/** As the store does with what cannot be brought into force. */
function withdraw(kept: Kept, trouble: Trouble): void {
  const given = givesUp(kept.desired, trouble);
  if (given)
    kept.desired = changed(kept.desired, given.kind === "sizing" ? given.to : { handOverFrom: null });
}

function waitedMs({ waiting }: Kept, now: Date): number {
  return waiting ? now.getTime() - waiting.since.getTime() : 0;
}

function waitingFor(next: Plan, before: Waiting | null, now: Date): Waiting | null {
  if (next.kind !== "wait") return null;
  return before?.reason === next.reason ? before : { reason: next.reason, since: now };
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
