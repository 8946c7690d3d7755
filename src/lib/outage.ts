import type { Log } from "./log.ts";

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5_000;

/** Something that this process cannot do without is gone: told once when it goes, and once when it is back. */
export interface Outage {
  /** Returns how long to wait before the next try: longer each time, up to 5 s. */
  failed(error: unknown): number;
  over(): void;
}

export function createOutage(what: string, log: Log): Outage {
  let failures = 0;
  return {
    failed(error) {
      if (failures === 0) log.error({ err: error }, `${what} cannot be reached; trying until it can`);
      failures += 1;
      return Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 10), LAST_RETRY_MS);
    },
    over() {
      if (failures > 0) log.info(`${what} can be reached again`);
      failures = 0;
    },
  };
}
