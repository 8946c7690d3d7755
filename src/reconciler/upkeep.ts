/** Something that is looked after by the clock, and soon after somebody says so, until it is stopped. */

import { withDeadline } from "../lib/deadline.ts";
import { createDoorbell } from "../lib/doorbell.ts";
import type { Log } from "../lib/log.ts";
import { createOutage } from "../lib/outage.ts";

export interface Upkeep {
  /** Looks soon, since something may have changed. */
  poke(): void;
  stop(): Promise<void>;
}

/** A burst of pokes is answered by one look after each of these. */
const POKED_AT_MOST_EVERY_MS = 100;
/** A look under way is not waited for any longer. */
const STOP_DEADLINE_MS = 2_000;

/** How long a platform may take for an answer to a look. */
export const ANSWER_WITHIN_MS = 30_000;

/** Outlives every failure of a look, and looks again soon then. */
export function startUpkeep(look: () => Promise<void>, everyMs: number, log: Log): Upkeep {
  const bell = createDoorbell();
  const stopping = new AbortController();
  const outage = createOutage("the platform or the state database", log);

  const lookOnce = async (): Promise<number> => {
    try {
      await look();
      outage.over();
      return everyMs;
    } catch (error) {
      return outage.failed(error);
    }
  };
  const run = async () => {
    let waitMs = everyMs;
    for (;;) {
      await bell.wait(waitMs);
      if (stopping.signal.aborted) return;
      waitMs = await lookOnce();
    }
  };
  const ended = run();
  let poked: NodeJS.Timeout | null = null;
  return {
    poke() {
      poked ??= setTimeout(() => {
        poked = null;
        bell.ring();
      }, POKED_AT_MOST_EVERY_MS);
    },
    async stop() {
      if (poked) clearTimeout(poked);
      stopping.abort();
      bell.ring();
      await withDeadline(STOP_DEADLINE_MS, ended).catch(() => undefined);
    },
  };
}
