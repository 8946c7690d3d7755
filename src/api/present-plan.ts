/** From what is desired and was seen to the plan that people and programs read. Pure. */
import type { Plan, PlannedStep, WaitingFor } from "../contract/plan.ts";
import { type Forecast, forecast, type Stage } from "../planner/forecast.ts";
import { interruptionOf, kindOf } from "../planner/interruption.ts";
import type { ObservedService } from "../planner/observed.ts";
import { describeStep, type Step } from "../planner/step.ts";
import { WAITS } from "../planner/waits.ts";
import type { PlannedService } from "../store/plans.ts";
import { readObservation } from "./observation.ts";

/** @param dryRun whether it is about a change that is not made */
export function presentPlan(service: PlannedService, dryRun: boolean): Plan {
  const { observation } = service;
  const observed = observation && readObservation(observation.observed);
  const waiting = waitingForPlatform(service);
  if (!observation || !observed) {
    const message = "Nothing was seen of the service yet, so nothing can be foreseen.";
    return {
      dry_run: dryRun,
      outlook: "unknown",
      message,
      ...(waiting ? { waiting_for: waiting } : {}),
      steps: [],
    };
  }
  const foreseen = forecast(service, observed);
  const since = settledSince(service, foreseen);
  const waitingFor = waiting ?? waitingForNow(service, foreseen, observation.at);
  return {
    dry_run: dryRun,
    as_of: observation.at.toISOString(),
    outlook: outlookOf(foreseen),
    message: describe(service, foreseen, dryRun),
    ...(since === null ? {} : { since }),
    ...(waitingFor ? { waiting_for: waitingFor } : {}),
    steps: foreseen.stages.map(presentStage),
    ...(foreseen.end === "unclear" ? {} : { interruption: interruption(service, observed, foreseen) }),
  };
}

function outlookOf({ stages, end }: Forecast): Plan["outlook"] {
  switch (end) {
    case "settled":
      return stages.length === 0 ? "settled" : "settles";
    case "blocked":
      return "blocked";
    case "unclear":
      return "unknown";
  }
}

function describe({ power, presence }: PlannedService, { stages, end }: Forecast, dryRun: boolean): string {
  const last = stages.at(-1);
  if (end === "unclear") return "What follows cannot be foreseen.";
  if (end === "blocked" && last?.kind === "wait") return `${describeWait(last)}.`;
  if (stages.length > 0) {
    const count = stages.filter(({ kind }) => kind === "step").length;
    const steps = count === 1 ? "1 step" : `${count} steps`;
    const goal =
      presence === "absent" ? "nothing of the service is left" : "everything that was asked for is in force";
    return `${steps} to be done; after that, ${goal}.`;
  }
  if (power === "stopped" && presence === "present") {
    return dryRun
      ? "The service is stopped: the change would be kept, and be in force after its next start."
      : "The service is stopped; what was changed meanwhile is in force after its next start.";
  }
  return dryRun ? "Nothing would have to be done." : "Nothing is left to do.";
}

function presentStage(stage: Stage): PlannedStep {
  if (stage.kind === "wait")
    return { kind: "wait", message: `${WAITS[stage.reason].sentence}.`, interruption: "none" };
  const { step, disturbance } = stage;
  const member = memberOf(step);
  return {
    kind: step.kind,
    message: `${describeStep(step)}.`,
    ...(member === null ? {} : { member }),
    interruption: kindOf(disturbance),
  };
}

function memberOf(step: Step): number | null {
  if ("ordinal" in step) return step.ordinal;
  return step.kind === "switchover" ? step.from : null;
}

function interruption(
  { presence, power, pooler: wanted }: PlannedService,
  { gateway, pooler }: ObservedService,
  { stages }: Forecast,
) {
  const disturbances = stages.flatMap((stage) => (stage.kind === "step" ? (stage.disturbance ?? []) : []));
  const runs = presence === "present" && power === "running";
  return interruptionOf(disturbances, {
    out: stages.length > 0 && runs && !gateway.serving,
    pooled: pooler.state !== "absent" || (wanted && runs),
  });
}

/** The Settled condition tells since when; a change that nobody has looked at yet is not in it. */
function settledSince({ conditions }: PlannedService, { stages }: Forecast): string | null {
  const settled = conditions.find(({ type }) => type === "Settled");
  return stages.length > 0 && settled?.status === "False" ? settled.since : null;
}

function waitingForPlatform({ conditions }: PlannedService): WaitingFor | null {
  const settled = conditions.find(({ type }) => type === "Settled");
  return settled?.status === "Unknown"
    ? { reason: "platform", message: settled.message, since: settled.since, overdue: true }
    : null;
}

/** What stands first in the plan, where it is a wait, or a step that has begun or is tried again. */
function waitingForNow(
  { waiting, conditions }: PlannedService,
  { stages: [first] }: Forecast,
  seenAt: Date,
): WaitingFor | null {
  const settled = conditions.find(({ type }) => type === "Settled");
  const overdue = settled?.reason === "Overdue";
  if (first?.kind === "wait") {
    const since = waiting?.reason === first.reason ? waiting.since : seenAt;
    return {
      reason: first.reason,
      message: `${describeWait(first)}.`,
      since: since.toISOString(),
      overdue: overdue && waiting?.reason === first.reason,
    };
  }
  if (first?.kind !== "step" || !settled?.message.startsWith(describeStep(first.step))) return null;
  const reason = `step:${first.step.kind}`;
  if (waiting?.reason === reason)
    return { reason, message: settled.message, since: waiting.since.toISOString(), overdue };
  return TROUBLES.has(settled.reason)
    ? { reason, message: settled.message, since: settled.since, overdue: true }
    : null;
}

/** What a step is told with that is tried again. */
const TROUBLES: ReadonlySet<string> = new Set(["StepFailed", "NoProgress"]);

function describeWait({ reason, detail }: Extract<Stage, { kind: "wait" }>): string {
  return `${WAITS[reason].sentence}: ${detail}`;
}
