/** Every error becomes an answer here, and nowhere else. Causes go to the log, once. */
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { ApiError, ERRORS, type ErrorBody, type ErrorCode } from "../contract/errors.ts";
import { isUnavailable } from "../store/unavailable.ts";
import { describeViolations } from "./violations.ts";

export const BODY_LIMIT_BYTES = 64 * 1024;

export interface Answer {
  readonly status: number;
  readonly body: ErrorBody;
  readonly headers: Readonly<Record<string, string>>;
}

export function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { id, mayHaveChanged, routeOptions } = request;
  const known = toApiError(error, { id, mayHaveChanged, bodyLimit: routeOptions.bodyLimit });
  if (known.code === "INTERNAL") request.log.error({ err: error }, "an operation broke");
  else if (known.code === "UNAVAILABLE") request.log.warn({ err: error }, known.message);
  request.refusal = known.code;
  const { status, body, headers } = answer(known);
  return reply.code(status).headers(headers).type("application/json; charset=utf-8").send(body);
}

export function answer({ code, message, details, headers }: ApiError): Answer {
  const body = details === undefined ? { code, message } : { code, message, details };
  return { status: ERRORS[code].status, body, headers };
}

export interface Failed {
  /** The request's. */
  readonly id: string;
  readonly mayHaveChanged: boolean;
  readonly bodyLimit?: number | undefined;
}

/** What a client may know of an error. */
export function toApiError(error: unknown, { id, mayHaveChanged, bodyLimit }: Failed): ApiError {
  if (error instanceof ApiError) return error;
  if (isUnavailable(error)) return stateUnavailable(error, mayHaveChanged);
  if (error instanceof Error) {
    const refused = fromFramework(error, bodyLimit ?? BODY_LIMIT_BYTES);
    if (refused) return refused;
  }
  return new ApiError("INTERNAL", "something broke that should not have", {
    details: `The log has more under the request id ${id}.`,
    cause: error,
  });
}

/** Where the answer to a commit is lost, nobody knows what became of it. */
function stateUnavailable(cause: unknown, mayHaveChanged: boolean): ApiError {
  const options = { headers: { "retry-after": "1" }, cause };
  return mayHaveChanged
    ? new ApiError("UNAVAILABLE", "the state database cannot be reached; the change may have been accepted", {
        details: "Look before you ask again, or ask with the same Idempotency-Key, where there is one.",
        ...options,
      })
    : new ApiError("UNAVAILABLE", "the state database cannot be reached; nothing was changed", options);
}

const FRAMEWORK_CODES: Readonly<Partial<Record<string, readonly [ErrorCode, string]>>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    "UNSUPPORTED_MEDIA_TYPE",
    "the body must be JSON, with Content-Type: application/json",
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    "INVALID_REQUEST",
    "the body is shorter or longer than Content-Length says",
  ],
};

/** What fastify itself refuses: all of it is the client's doing. null for anything else. */
function fromFramework(error: Error & Partial<FastifyError>, bodyLimit: number): ApiError | null {
  if (error.validation)
    return new ApiError(
      "INVALID_REQUEST",
      describeViolations(error.validation, error.validationContext === "querystring" ? "query" : "body"),
    );
  if (error.code === "FST_ERR_CTP_BODY_TOO_LARGE")
    return new ApiError(
      "PAYLOAD_TOO_LARGE",
      `the body must not be larger than ${Math.floor(bodyLimit / 1024)} KiB`,
    );
  const known = FRAMEWORK_CODES[error.code ?? ""];
  if (known) return new ApiError(...known);
  const { statusCode = 500 } = error;
  return statusCode >= 400 && statusCode < 500
    ? new ApiError("INVALID_REQUEST", "the request cannot be read", { cause: error })
    : null;
}
