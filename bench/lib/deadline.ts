import { setTimeout as sleep } from "node:timers/promises";

export class DeadlineExceeded extends Error {
  override readonly name = "DeadlineExceeded";
}

export interface Patience {
  /** What is waited for, to complete "… did not happen in 5 s". */
  readonly what: string;
  readonly deadlineMs: number;
  readonly everyMs: number;
  readonly signal: AbortSignal;
}

/**
 * Tries until there is a value, `everyMs` after each try that brought none.
 * Throws DeadlineExceeded, with the last error of a try as its cause and in its message.
 *
 * @param attempt its errors count as "not yet"; it has to end by itself
 */
export async function until<T>(
  { what, deadlineMs, everyMs, signal }: Patience,
  attempt: () => Promise<T | undefined>,
): Promise<T> {
  const giveUpAt = performance.now() + deadlineMs;
  let lastError: unknown;
  for (;;) {
    try {
      const value = await attempt();
      if (value !== undefined) return value;
    } catch (error) {
      if (error instanceof Fatal) throw error.cause;
      lastError = error;
    }
    signal.throwIfAborted();
    if (performance.now() > giveUpAt) {
      const why = lastError === undefined ? "" : ` (${messageOf(lastError)})`;
      throw new DeadlineExceeded(`${what} did not happen in ${deadlineMs / 1_000} s${why}`, {
        cause: lastError,
      });
    }
    await sleep(everyMs, undefined, { signal });
  }
}

/** Thrown by an attempt when trying again is of no use; `until` throws its cause on. */
export class Fatal extends Error {
  constructor(cause: unknown) {
    super(messageOf(cause), { cause });
  }
}

/** The signal of a single call: the bench's own, and a time limit. */
export function within(timeoutMs: number, signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
}

/** Leaves a promise that cannot be ended to itself once the signal is aborted. */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") return error.errors.map(messageOf).join("; ");
  if (!(error instanceof Error)) return String(error);
  // All that fetch says by itself.
  return error.message === "fetch failed" && error.cause !== undefined
    ? messageOf(error.cause)
    : error.message;
}
