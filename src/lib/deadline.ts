import { setTimeout as sleep } from "node:timers/promises";

/** The time that was allowed is over; what was awaited may still go on. */
export class DeadlineExceeded extends Error {
  override readonly name = "DeadlineExceeded";
}

/** What the promise gives, or DeadlineExceeded after `deadlineMs`. */
export async function withDeadline<T>(deadlineMs: number, awaited: Promise<T>): Promise<T> {
  const settled = new AbortController();
  const late = sleep(deadlineMs, undefined, { signal: settled.signal }).then(() => {
    throw new DeadlineExceeded(`no answer in ${deadlineMs / 1_000} s`);
  });
  try {
    return await Promise.race([awaited, late]);
  } finally {
    settled.abort();
    late.catch(() => undefined);
  }
}
