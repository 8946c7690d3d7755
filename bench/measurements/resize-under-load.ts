/** What the two resizes have in common: a client at work, a change in the middle, and what the client noticed. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Samples } from "../lib/measurement.ts";
import type { SqlTarget } from "../lib/sql.ts";
import { startWorkload } from "../lib/workload.ts";

/** Before the change the client gets warm; after it, it would notice what comes late. */
const BEFORE_MS = 500;
const AFTER_MS = 1_000;

export interface UnderLoad {
  readonly target: SqlTarget;
  readonly statement: string;
  /** Put before the names of the series. */
  readonly prefix: string;
  readonly signal: AbortSignal;
}

/** Adds the series "<prefix> gap" (ms) and "<prefix> failed" (statements). */
export async function changeUnderLoad(
  { target, statement, prefix, signal }: UnderLoad,
  samples: Samples,
  change: () => Promise<void>,
): Promise<void> {
  const workload = await startWorkload(target, statement, signal);
  try {
    await sleep(BEFORE_MS, undefined, { signal });
    workload.reset();
    await change();
    await sleep(AFTER_MS, undefined, { signal });
  } finally {
    const { failed, longestGapMs } = await workload.stop();
    samples.add(`${prefix} gap`, longestGapMs);
    samples.add(`${prefix} failed`, failed);
  }
}
