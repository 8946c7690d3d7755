/** The upkeep that forgets what has been kept for long enough, a little at a time. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../lib/log.ts";

export interface Retention {
  stop(): Promise<void>;
}

const EVERY_MS = 60_000;
/** After a round that found as much as it may do at once. */
const GO_ON_MS = 200;

/**
 * Runs every task about once a minute, and again soon where it has found something.
 *
 * @param tasks each does a bounded amount and returns how much it did
 */
export function startRetention(tasks: readonly (() => Promise<number>)[], log: Log): Retention {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async () => {
    while (!signal.aborted) {
      let done = 0;
      for (const task of tasks) {
        done += await task().catch((error: unknown) => {
          log.debug({ err: error }, "old records could not be forgotten now");
          return 0;
        });
        if (signal.aborted) return;
      }
      await sleep(done > 0 ? GO_ON_MS : EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  };
  const ended = run();
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
