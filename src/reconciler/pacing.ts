/** How long until a service is looked at again. Pure; `random` is a number from 0 up to 1. */

const WAIT_FIRST_MS = 100;
const WAIT_USUAL_MS = 1_000;
const WAIT_LONG_MS = 5_000;
/** What takes longer than this is no matter of seconds, such as a copy of much data. */
const LONG_AFTER_MS = 60_000;

const BACKOFF_LIMIT_MS = 30_000;
const RESYNC_MS = 10_000;
const JITTER = 0.2;

/** The first backoff after a failure, and after a step that shows no effect. */
export const FAILURE_BACKOFF_MS = 500;
export const REPEAT_BACKOFF_MS = 100;

/** Often at first, since most waits last seconds; then at a tenth of the time that has passed. */
export function waitDelayMs(waitedMs: number): number {
  if (waitedMs >= LONG_AFTER_MS) return WAIT_LONG_MS;
  return Math.round(Math.min(WAIT_USUAL_MS, Math.max(WAIT_FIRST_MS, waitedMs / 10)));
}

/** Doubles with every attempt, and differs from service to service so that they do not come back as one crowd. */
export function backoffMs(attempts: number, firstMs: number, random: number): number {
  const doublings = Math.min(Math.max(attempts - 1, 0), 16);
  return jittered(Math.min(firstMs * 2 ** doublings, BACKOFF_LIMIT_MS), random);
}

/** A service with nothing to do is still looked at, in case a change was missed. */
export function resyncDelayMs(random: number): number {
  return jittered(RESYNC_MS, random);
}

function jittered(ms: number, random: number): number {
  return Math.round(ms * (1 - JITTER + 2 * JITTER * random));
}
