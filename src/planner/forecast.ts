/** What is still to be done, all of it: the planner asked again and again about what its own answers would lead to. Pure. */
import type { DesiredService } from "./desired.ts";
import { imagineStep, imagineWait } from "./imagine.ts";
import { type Disturbance, disturbanceOf } from "./interruption.ts";
import type { ObservedService } from "./observed.ts";
import { plan } from "./plan.ts";
import type { Step } from "./step.ts";
import type { WaitReason } from "./waits.ts";

export type Stage =
  /** `disturbance`: what clients notice of it; null: nothing. */
  | { readonly kind: "step"; readonly step: Step; readonly disturbance: Disturbance | null }
  /** `detail` is what is true now of the first stage, and what would be true then of a later one. */
  | { readonly kind: "wait"; readonly reason: WaitReason; readonly detail: string };

export interface Forecast {
  /** In their order. */
  readonly stages: readonly Stage[];
  /**
   * `settled`: everything that is wanted is in force after them. `blocked`: the last of them is a wait for what the
   * service cannot bring about itself. `unclear`: what follows cannot be foreseen.
   */
  readonly end: "settled" | "blocked" | "unclear";
}

/** Far more than nine members need for everything at once. */
const MOST_STAGES = 128;

export function forecast(desired: DesiredService, observed: ObservedService): Forecast {
  const stages: Stage[] = [];
  let current = observed;
  while (stages.length < MOST_STAGES) {
    const next = plan(desired, current);
    switch (next.kind) {
      case "settled":
        return { stages, end: "settled" };
      case "step":
        stages.push({ ...next, disturbance: disturbanceOf(next.step, current, desired) });
        current = imagineStep(current, next.step);
        break;
      case "wait": {
        stages.push(next);
        const later = imagineWait(current, next.reason, desired);
        if (!later) return { stages, end: "blocked" };
        current = later;
        break;
      }
    }
  }
  return { stages, end: "unclear" };
}
