/** What PostgreSQL says of a failure, in the words of the API. */
import { DatabaseError } from "pg";
import { ApiError } from "../contract/errors.ts";
import { writeQueryFailure } from "../contract/query.ts";

const LONGEST_TEXT = 4_000;
const QUERY_CANCELED = "57014";

/** Wrong password, no such role, no such database, no right to connect to it. */
const LOGIN_REFUSED = /^(28...|3D000|42501)$/;

/** The login did not succeed. */
export function loginRefusal(error: unknown): ApiError {
  if (error instanceof DatabaseError && LOGIN_REFUSED.test(error.code ?? ""))
    return new ApiError("DATABASE_LOGIN_REFUSED", bounded(error.message), { cause: error });
  return unreachable(error, error instanceof DatabaseError ? bounded(error.message) : undefined);
}

/** @param said what PostgreSQL itself answered */
export function unreachable(cause: unknown, said?: string): ApiError {
  return new ApiError("UNAVAILABLE", "the service takes no connections now", {
    ...(said === undefined ? {} : { details: said }),
    headers: { "retry-after": "2" },
    cause,
  });
}

/** @param offset how many characters stand before the client's SQL in what was run */
export function queryRefusal(error: unknown, offset: number, timeoutSeconds: number): ApiError {
  if (!(error instanceof DatabaseError))
    return new ApiError(
      "QUERY_FAILED",
      "the connection to the service broke; whether the statement took effect is not known",
      { cause: error },
    );
  const { code: sqlState = "XX000", position, detail, hint, where } = error;
  if (sqlState === QUERY_CANCELED && /statement timeout/.test(error.message))
    return timedOut(timeoutSeconds, error);
  const character = position === undefined ? 0 : Number(position) - offset;
  const failure = {
    sqlState,
    position: character > 0 ? character : undefined,
    detail: detail && bounded(detail),
    hint: hint && bounded(hint),
    context: where && bounded(where),
  };
  return new ApiError("QUERY_FAILED", bounded(error.message), {
    details: writeQueryFailure(failure),
    cause: error,
  });
}

export function timedOut(seconds: number, cause?: unknown): ApiError {
  return new ApiError("QUERY_TIMEOUT", `the statement was cancelled after ${seconds} s`, {
    details: "timeout_seconds allows for up to 300.",
    cause,
  });
}

export function bounded(text: string): string {
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)}…`;
}
