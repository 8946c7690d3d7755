/** The API's operations on sessions of the console as functions. */
import { SignInLink } from "../contract/account.ts";
import { Nothing, SessionRecord } from "./answers.ts";
import { createHttp, DEFAULT_TIMEOUT_MS, type Fetch, type Send, withoutSlash } from "./http.ts";

interface CallOptions {
  readonly signal?: AbortSignal;
}

/** Every function throws ClientError, or the reason of its signal. */
export interface AccountClient {
  /** Revokes the key where a sign-in link has made it; any other stays as it is. */
  logOut(options?: CallOptions): Promise<null>;
  /** Its token signs in once, and is told nowhere else. */
  createSignInLink(options?: CallOptions): Promise<SignInLink>;
}

export function accountClient(send: Send): AccountClient {
  return {
    logOut: (call) =>
      send({ method: "POST", path: "/auth/logout", answer: Nothing, repeatable: true, ...call }),
    createSignInLink: (call) =>
      send({ method: "POST", path: "/auth/signInLinks", answer: SignInLink, ...call }),
  };
}

export interface SignInOptions extends CallOptions {
  /** Ends in the version: http://127.0.0.1:8420/api/v1 */
  readonly baseUrl: string;
  /** Left out: the platform's own. */
  readonly fetch?: Fetch;
  /** 30 s where it is left out. */
  readonly timeoutMs?: number;
}

/** Uses a sign-in link, which needs no key. It works once. Throws ClientError, or the reason of its signal. */
export async function signIn(token: string, options: SignInOptions): Promise<SessionRecord> {
  const send = createHttp({
    baseUrl: withoutSlash(options.baseUrl),
    apiKey: null,
    fetch: options.fetch ?? globalThis.fetch,
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
  });
  const { signal } = options;
  return send({ method: "POST", path: "/auth/signIn", body: { token }, answer: SessionRecord, signal });
}
