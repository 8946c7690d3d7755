/** When a delivery is tried again, and how long a receiver that fails is left alone. Pure. */
import type { Conclusion } from "../store/webhook-queue.ts";
import type { Answer } from "./send.ts";

const FIRST_MS = 5_000;
const LONGEST_MS = 2 * 3_600_000;
const FACTOR = 3;
const GONE = 410;
/** A receiver that fails again and again is tried with one delivery at a time, and then not for a while. */
const FIRST_REST_MS = 1_000;
const LONGEST_REST_MS = 5 * 60_000;

interface Tried {
  /** This one included. */
  readonly attempts: number;
  readonly expiresAt: Date;
  /** Of the webhook, in a row, before this one. */
  readonly failures: number;
}

/** @param random from 0 up to 1; spreads what failed at one moment */
export function concludeTry(tried: Tried, answer: Answer, now: Date, random: number): Conclusion {
  if (answer.error === null) return { kind: "delivered" };
  if (answer.status === GONE) return { kind: "gone" };
  const restMs = Math.min(FIRST_REST_MS * 2 ** Math.min(tried.failures, 20), LONGEST_REST_MS);
  const backoff = Math.min(FIRST_MS * FACTOR ** Math.min(tried.attempts - 1, 20), LONGEST_MS);
  const inMs = Math.round(
    Math.max(backoff * (0.8 + 0.4 * random), Math.min(answer.retryAfterMs ?? 0, LONGEST_MS)),
  );
  return now.getTime() + inMs >= tried.expiresAt.getTime()
    ? { kind: "given-up", restMs }
    : { kind: "again", inMs, restMs };
}
