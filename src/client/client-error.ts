import type { ErrorCode } from "../contract/errors.ts";

/** A word that a newer API may use; listed beside known ones, it keeps those visible to editors. */
export type OtherWord = string & Record<never, never>;

/** What can go wrong before the API has a say: no answer, none in time, or one that makes no sense. */
export type ConnectionCode = "UNREACHABLE" | "TIMEOUT" | "UNEXPECTED_ANSWER";

interface More {
  /** Of HTTP; null where nothing was answered. */
  readonly status?: number | null;
  readonly details?: string | undefined;
  /** Finds the request in the API's log. */
  readonly requestId?: string | null;
  /** How long the API asks to be left alone. */
  readonly retryAfterMs?: number | null;
  readonly cause?: unknown;
}

/** The one error that the client throws, except for the reason of a signal that ended a call. */
export class ClientError extends Error {
  override readonly name = "ClientError";
  readonly code: ErrorCode | ConnectionCode | OtherWord;
  readonly status: number | null;
  readonly details: string | undefined;
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;

  constructor(code: ErrorCode | ConnectionCode | OtherWord, message: string, more: More = {}) {
    super(message, { cause: more.cause });
    this.code = code;
    this.status = more.status ?? null;
    this.details = more.details;
    this.requestId = more.requestId ?? null;
    this.retryAfterMs = more.retryAfterMs ?? null;
  }
}
