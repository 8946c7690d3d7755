/** When to ask once more. Pure. */
import type { ClientError } from "./client-error.ts";

const TRIES = 3;
const FIRST_PAUSE_MS = 250;
/** Who is asked to stay away for longer tells the caller instead. */
const LONGEST_PAUSE_MS = 10_000;

/** What a second try may help against. */
const PASSING: ReadonlySet<string> = new Set(["TOO_MANY_REQUESTS", "UNAVAILABLE", "UNREACHABLE", "TIMEOUT"]);

/**
 * How long to wait before the same request is sent again, in milliseconds; null where it is not. Only for requests
 * that change nothing when they come twice.
 *
 * @param tries how many there were, this one included
 */
export function retryAfterMs(error: ClientError, tries: number): number | null {
  const passing = PASSING.has(error.code) || error.status === 429 || error.status === 503;
  if (!passing || tries >= TRIES) return null;
  const pauseMs = error.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** (tries - 1);
  return pauseMs > LONGEST_PAUSE_MS ? null : pauseMs;
}

/** Reads the header Retry-After, which holds seconds or a date. */
export function parseRetryAfter(header: string | null, now: Date): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
