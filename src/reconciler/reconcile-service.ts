/** One pass over one service: observe, plan, at most one step, and what to tell about it. */
import type { Clock } from "../lib/clock.ts";
import { type Assessment, assess, assessUnobserved, type Waiting } from "../planner/assess.ts";
import { describeGivenUp, givesUp, type Trouble } from "../planner/give-up.ts";
import type { ObservedService } from "../planner/observed.ts";
import { plan } from "../planner/plan.ts";
import type { Plan } from "../planner/situation.ts";
import { describeStep, type Step, type StepOutcome } from "../planner/step.ts";
import type { Platform } from "../platforms/platform.ts";
import type { DueService } from "../store/due-service.ts";
import type { Announcement, PassResult } from "../store/pass-result.ts";
import { type Broken, executeStep, observeService } from "./execute.ts";
import { remember } from "./member-events.ts";
import { backoffMs, FAILURE_BACKOFF_MS, REPEAT_BACKOFF_MS, resyncDelayMs, waitDelayMs } from "./pacing.ts";
import { passEvents } from "./pass-events.ts";

/** A step that has begun is done within this, or the service says that it takes longer than it should. */
const STEP_WAIT_DEADLINE_MS = 60_000;
/** How often a step may be reported done without effect before the service says so. */
const FRUITLESS_REPEATS = 5;

export interface PassContext {
  readonly platform: Platform;
  readonly clock: Clock;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** Asked right before something is changed: whether the lease still holds and nobody wants to stop. */
  readonly mayAct: () => boolean;
  /** Told right before something is changed that takes time, so that people see it begin. False: the lease was lost. */
  readonly announce: (service: DueService, news: Announcement) => Promise<boolean>;
}

export type Pass =
  | { readonly kind: "finished"; readonly result: PassResult; readonly broken: Broken | null }
  /** It shall be absent, and nothing of it is left. */
  | { readonly kind: "gone" }
  /** Nothing was changed; whoever claims the service next begins anew. */
  | { readonly kind: "givenUp" };

export async function reconcileService(service: DueService, context: PassContext): Promise<Pass> {
  const { identity } = service;
  const { platform, clock, random } = context;
  const seen = await observeService(platform, identity);
  if (seen.kind === "broken") return unreachable(service, seen, clock.now(), random());

  const observation = { at: clock.now(), observed: seen.observed };
  const next = plan(service, seen.observed);
  if (next.kind === "settled" && service.presence === "absent") return { kind: "gone" };
  if (next.kind !== "step") {
    const conclusion = rest(service, seen.observed, next, clock.now(), random());
    return finished(service, { ...conclusion, observation }, null);
  }
  const assessment = assessed(service, seen.observed, next, null, clock.now());
  const news = { ...assessment, observation, events: passEvents(service, assessment) };
  const told = isFirstTry(service, next.step) && isNews(service, news);
  if (!context.mayAct() || (told && !(await context.announce(service, news)))) return { kind: "givenUp" };
  const outcome = await executeStep(platform, next.step, identity);
  const conclusion = concludeStep(service, assessment, next.step, outcome, clock.now(), random());
  const announced = told ? { ...service, ...assessment } : service;
  // What was announced is kept already.
  const kept = told ? conclusion : { ...conclusion, observation };
  return finished(announced, kept, outcome.kind === "broken" ? outcome : null);
}

function assessed(
  service: DueService,
  observed: ObservedService,
  next: Plan,
  waiting: Waiting | null,
  now: Date,
): Assessment {
  const assessment = assess(service, observed, next, waiting, service.conditions, now);
  return { ...assessment, inForce: remember(service.inForce, assessment.inForce) };
}

/** Tries after the first are told by how they end, and only where that is new. */
function isFirstTry({ attempts, waiting }: DueService, step: Step): boolean {
  return attempts === 0 && waiting?.reason !== stepWait(step);
}

function stepWait({ kind }: Step) {
  return `step:${kind}` as const;
}

function isNews(service: DueService, news: Announcement): boolean {
  return news.events.length > 0 || news.status !== service.status;
}

type Conclusion = Omit<PassResult, "events" | "withdrawn" | keyof Assessment> & {
  readonly assessment: Assessment;
  /** What stands in the way; left out: nothing that time alone could make hopeless. */
  readonly trouble?: Trouble;
};

function finished(service: DueService, conclusion: Conclusion, broken: Broken | null): Pass {
  const { assessment, trouble, ...result } = conclusion;
  const events = passEvents(service, assessment);
  const given = trouble ? givesUp(service, trouble) : null;
  const withdrawn = given && {
    ...(given.kind === "sizing" ? { sizing: given.to } : {}),
    message: describeGivenUp(given, service),
  };
  const told = { ...result, ...assessment, events, withdrawn };
  return { kind: "finished", result: withdrawn ? { ...told, dueInMs: 0 } : told, broken };
}

function unreachable(service: DueService, seen: Broken, now: Date, random: number): Pass {
  const attempts = service.attempts + 1;
  return finished(
    service,
    {
      assessment: assessUnobserved(service, seen.why, service.conditions, now),
      // What was waited for goes on in the dark: its deadline counts from when it began.
      waiting: service.waiting,
      settledGeneration: null,
      attempts,
      dueInMs: backoffMs(attempts, FAILURE_BACKOFF_MS, random),
    },
    seen,
  );
}

/** Nothing to do now: everything is in force, or something outside has to happen first. */
function rest(
  service: DueService,
  observed: ObservedService,
  next: Exclude<Plan, { kind: "step" }>,
  now: Date,
  random: number,
): Conclusion {
  const waiting: Waiting | null =
    next.kind === "wait" ? { reason: next.reason, since: waitingSince(service, next.reason, now) } : null;
  const forMs = waiting ? now.getTime() - waiting.since.getTime() : 0;
  return {
    ...(next.kind === "wait" ? { trouble: { ...next, forMs } } : {}),
    assessment: assessed(service, observed, next, waiting, now),
    waiting,
    settledGeneration: next.kind === "settled" ? service.generation : null,
    attempts: 0,
    dueInMs: waiting ? waitDelayMs(forMs) : resyncDelayMs(random),
  };
}

function concludeStep(
  service: DueService,
  assessment: Assessment,
  step: Step,
  outcome: StepOutcome | Broken,
  now: Date,
  random: number,
): Conclusion {
  const sentence = describeStep(step);
  const base = { waiting: null, settledGeneration: null, attempts: 0 };
  switch (outcome.kind) {
    case "done": {
      if (!wasJustDone(service, sentence)) return { ...base, assessment, dueInMs: 0 };
      const attempts = service.attempts + 1;
      const why = `${sentence}: done again and again, yet it does not show.`;
      return {
        ...base,
        trouble: { kind: "step", step, why: "it shows no effect", times: attempts },
        assessment: attempts < FRUITLESS_REPEATS ? assessment : troubled(assessment, "NoProgress", why),
        attempts,
        dueInMs: backoffMs(attempts, REPEAT_BACKOFF_MS, random),
      };
    }
    case "wait": {
      const reason = stepWait(step);
      const since = waitingSince(service, reason, now);
      const waitedMs = now.getTime() - since.getTime();
      const told =
        waitedMs > STEP_WAIT_DEADLINE_MS
          ? troubled(assessment, "Overdue", `${sentence}: ${outcome.why}; this takes longer than it should.`)
          : troubled(assessment, "Waiting", `${sentence}: ${outcome.why}.`);
      return {
        ...base,
        trouble: { kind: "wait", reason, detail: `${sentence}: ${outcome.why}`, forMs: waitedMs },
        assessment: told,
        waiting: { reason, since },
        dueInMs: waitDelayMs(waitedMs),
      };
    }
    case "failed":
    case "broken": {
      const attempts = service.attempts + 1;
      return {
        ...base,
        // An engine that is out of reach says nothing about what was asked for.
        ...(outcome.kind === "failed"
          ? { trouble: { kind: "step", step, why: outcome.why, times: attempts } as const }
          : {}),
        assessment: troubled(
          assessment,
          "StepFailed",
          `${sentence} failed: ${outcome.why}; it is tried again.`,
        ),
        attempts,
        dueInMs: backoffMs(attempts, FAILURE_BACKOFF_MS, random),
      };
    }
  }
}

/** Whether the pass before reported the very same step done: it had no effect, and must not be repeated in a rush. */
function wasJustDone({ conditions }: DueService, sentence: string): boolean {
  const settled = conditions.find(({ type }) => type === "Settled");
  return (
    settled !== undefined &&
    settled.message.startsWith(sentence) &&
    (settled.reason === "Working" || settled.reason === "NoProgress")
  );
}

function waitingSince(service: DueService, reason: string, now: Date): Date {
  return service.waiting?.reason === reason ? service.waiting.since : now;
}

/** What stands in the way is what people ask about, so it becomes the reason for the status too. */
function troubled(assessment: Assessment, reason: string, message: string): Assessment {
  return {
    ...assessment,
    statusReason: message,
    conditions: assessment.conditions.map((condition) =>
      condition.type === "Settled" ? { ...condition, reason, message } : condition,
    ),
  };
}
