/**
 * The one registry of errors that a client can see: code, HTTP status, and what the code means.
 * A message beside it tells the case at hand; causes stay in the log.
 */
import { type Static, Type } from "typebox";

export const ERRORS = {
  INVALID_REQUEST: {
    status: 400,
    title: "The request is malformed, or a field has a value that is not accepted.",
  },
  NOT_AVAILABLE: {
    status: 400,
    title: "This installation cannot do that yet; the message says what is missing.",
  },
  UNAUTHORIZED: {
    status: 401,
    title: "No API key was given, or it is unknown, revoked or expired; or a sign-in link was.",
  },
  FORBIDDEN: { status: 403, title: "The role of the API key does not allow this operation." },
  ADDRESS_NOT_ALLOWED: {
    status: 403,
    title: "The allow-list of the service does not have the address that the request came from.",
  },
  DATABASE_LOGIN_REFUSED: {
    status: 403,
    title: "PostgreSQL refused the user, the password or the database of the request.",
  },
  NOT_FOUND: { status: 404, title: "There is nothing with that id, or it belongs to another project." },
  METHOD_NOT_ALLOWED: { status: 405, title: "The path exists, the method on it does not." },
  CONFLICT: { status: 409, title: "The present state does not allow this change." },
  DELETION_PROTECTED: {
    status: 409,
    title: "The service is protected against deletion; lift the protection first.",
  },
  NO_CAPACITY: { status: 409, title: "The region has no room for what was asked." },
  PAYLOAD_TOO_LARGE: { status: 413, title: "The body is larger than the API accepts." },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: "Bodies are JSON, with Content-Type: application/json." },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    title: "The same Idempotency-Key came with another request before.",
  },
  QUERY_FAILED: { status: 422, title: "PostgreSQL refused or ended the statement; the details say why." },
  QUERY_TIMEOUT: { status: 422, title: "The statement took longer than the request allows." },
  TOO_MANY_REQUESTS: {
    status: 429,
    title: "More requests came than are accepted; Retry-After says when to go on.",
  },
  INTERNAL: { status: 500, title: "Something broke that should not; the request id finds it in the log." },
  UNAVAILABLE: {
    status: 503,
    title:
      "The state database, or the platform that was asked, does not answer; the message says if anything may have changed.",
  },
} as const satisfies Record<string, { readonly status: number; readonly title: string }>;

export type ErrorCode = keyof typeof ERRORS;

export const ErrorBody = Type.Object(
  {
    code: Type.Unsafe<ErrorCode>({
      type: "string",
      enum: errorCodes(),
      description: "One of the registry's codes.",
    }),
    message: Type.String({ description: "What is wrong, for people." }),
    details: Type.Optional(Type.String({ description: "What would be accepted, or where to look." })),
  },
  { title: "Error" },
);
export type ErrorBody = Static<typeof ErrorBody>;

/** An error whose text is meant for the client. Its `cause`, if any, is meant for the log alone. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string,
    more: { details?: string; headers?: Readonly<Record<string, string>>; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.name = "ApiError";
    this.code = code;
    this.details = more.details;
    this.headers = more.headers ?? {};
  }
}

export function errorCodes(): ErrorCode[] {
  return Object.keys(ERRORS).filter((code): code is ErrorCode => code in ERRORS);
}
