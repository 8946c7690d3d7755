/** One request to the API, and what can become of it. */
import { type Static, type TSchema, Type } from "typebox";
import { Value } from "typebox/value";
import { ErrorBody } from "../contract/errors.ts";
import { ClientError } from "./client-error.ts";
import { pause } from "./pause.ts";
import { parseRetryAfter, retryAfterMs } from "./retry.ts";

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface HttpOptions {
  /** Ends in the version: http://127.0.0.1:8420/api/v1 */
  readonly baseUrl: string;
  /** null: the operation asks for none. */
  readonly apiKey: string | null;
  readonly fetch: Fetch;
  /** For each try, from its beginning to the last byte of the answer. */
  readonly timeoutMs: number;
}

export const DEFAULT_TIMEOUT_MS = 30_000;

export function withoutSlash(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, "");
}

export interface Call<Answer extends TSchema> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below the base, encoded. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly answer: Answer;
  /** It changes nothing when it comes twice, so it is sent again where that may help. */
  readonly repeatable?: boolean;
  /** For this call alone, where it takes longer than others. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

export type Send = <Answer extends TSchema>(call: Call<Answer>) => Promise<Static<Answer>>;

/** Codes of a newer API are codes too. */
const Refusal = Type.Object({ ...ErrorBody.properties, code: Type.String() });

/** Calls throw ClientError, or the reason of the caller's signal. */
export function createHttp(options: HttpOptions): Send {
  return async (call) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await sendOnce(options, call);
      } catch (error) {
        if (!(error instanceof ClientError) || !call.repeatable) throw error;
        const pauseMs = retryAfterMs(error, tries);
        if (pauseMs === null) throw error;
        await pause(pauseMs, call.signal);
      }
    }
  };
}

async function sendOnce<Answer extends TSchema>(
  options: HttpOptions,
  call: Call<Answer>,
): Promise<Static<Answer>> {
  const { response, text } = await exchange(options, call);
  const requestId = response.headers.get("x-request-id");
  const body = parseJson(text);
  if (!response.ok) throw refusal(response, body, requestId);
  if (Value.Check(call.answer, body)) return body;
  throw new ClientError(
    "UNEXPECTED_ANSWER",
    `${options.baseUrl} answered with something that this client does not understand`,
    { status: response.status, requestId, details: "Is it the address of a Howdah API, up to its version?" },
  );
}

async function exchange(
  { baseUrl, apiKey, fetch, timeoutMs: usualTimeoutMs }: HttpOptions,
  call: Call<TSchema>,
): Promise<{ response: Response; text: string }> {
  const timeoutMs = Math.max(usualTimeoutMs, call.timeoutMs ?? 0);
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(`${baseUrl}${call.path}`, {
      method: call.method,
      headers: {
        accept: "application/json",
        ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
        ...(call.body === undefined ? {} : { "content-type": "application/json" }),
        ...call.headers,
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      // The API leads nowhere else, and the key must not go there.
      redirect: "error",
      signal: call.signal ? AbortSignal.any([call.signal, timeout]) : timeout,
    });
    return { response, text: await response.text() };
  } catch (error) {
    call.signal?.throwIfAborted();
    if (timeout.aborted)
      throw new ClientError("TIMEOUT", `${baseUrl} did not answer within ${timeoutMs / 1_000} s`, {
        cause: error,
      });
    throw new ClientError("UNREACHABLE", `cannot reach ${baseUrl}: ${whyUnreachable(error)}`, {
      cause: error,
    });
  }
}

/** An answer whose body is read as it comes. Throws ClientError where it is a refusal, or the signal's reason. */
export async function openAnswer(
  { baseUrl, apiKey, fetch }: HttpOptions,
  path: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(`${baseUrl}${path}`, {
      method: "GET",
      headers: { ...headers, ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }) },
      redirect: "error",
      signal,
    });
  } catch (error) {
    signal.throwIfAborted();
    throw new ClientError("UNREACHABLE", `cannot reach ${baseUrl}: ${whyUnreachable(error)}`, {
      cause: error,
    });
  }
  if (response.ok) return response;
  throw refusal(response, parseJson(await response.text()), response.headers.get("x-request-id"));
}

/** The body of an answer, null where it has none, undefined where it is not JSON. */
export function parseJson(text: string): unknown {
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refusal(response: Response, body: unknown, requestId: string | null): ClientError {
  const { status } = response;
  const more = {
    status,
    requestId,
    retryAfterMs: parseRetryAfter(response.headers.get("retry-after"), new Date()),
  };
  if (Value.Check(Refusal, body))
    return new ClientError(body.code, body.message, { ...more, details: body.details });
  // Something in between, such as a proxy, answers in words of its own.
  return new ClientError("UNEXPECTED_ANSWER", `the API answered ${status} without saying why`, more);
}

/** Node hides the reason in the cause; browsers do not tell it at all. */
function whyUnreachable(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
  return cause.message || code || cause.name;
}
