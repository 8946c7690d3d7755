/** The edge to the platform: what it says, or why it says nothing, as values. */

import { withDeadline } from "../lib/deadline.ts";
import type { ObservedService } from "../planner/observed.ts";
import type { Step, StepOutcome } from "../planner/step.ts";
import type { Platform, ServiceIdentity } from "../platforms/platform.ts";

// A platform bounds every method itself. These are the net below, should one of them break that promise.
const OBSERVE_DEADLINE_MS = 30_000;
const EXECUTE_DEADLINE_MS = 180_000;

const LONGEST_REASON = 300;

/** What an exception becomes: a sentence for people, and the exception itself for the log. */
export interface Broken {
  readonly kind: "broken";
  readonly why: string;
  readonly cause: unknown;
}

export async function observeService(
  platform: Platform,
  identity: ServiceIdentity,
): Promise<{ readonly kind: "seen"; readonly observed: ObservedService } | Broken> {
  try {
    return {
      kind: "seen",
      observed: await withDeadline(OBSERVE_DEADLINE_MS, platform.observe(identity)),
    };
  } catch (error) {
    return broken(error);
  }
}

export async function executeStep(
  platform: Platform,
  step: Step,
  identity: ServiceIdentity,
): Promise<StepOutcome | Broken> {
  try {
    return await withDeadline(EXECUTE_DEADLINE_MS, platform.execute(step, identity));
  } catch (error) {
    return broken(error);
  }
}

function broken(cause: unknown): Broken {
  return { kind: "broken", why: reasonOf(cause), cause };
}

/** Clients read the reason: one line, of a length that a screen can take. */
export function reasonOf(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  const line = text.replaceAll(/\s+/g, " ").trim() || "it gave no reason";
  return line.slice(0, LONGEST_REASON);
}
