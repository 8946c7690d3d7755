/** The API's operations on sessions of the console, and on the whole installation, as functions. */
import { SignInLink } from "../contract/account.ts";
import { Nothing, OverviewRecord, SessionRecord } from "./answers.ts";
import { type CallOptions, READ } from "./calls.ts";
import { createHttp, DEFAULT_TIMEOUT_MS, type Fetch, type Send, withoutSlash } from "./http.ts";

/** Every function throws ClientError, or the reason of its signal. */
export interface AccountClient {
  /** Revokes the key where a sign-in link has made it; any other stays as it is. */
  logOut(options?: CallOptions): Promise<null>;
  /** Its token signs in once, and is told nowhere else. */
  createSignInLink(options?: CallOptions): Promise<SignInLink>;
  /** The whole installation, for keys with the role operator. */
  getOperatorOverview(options?: CallOptions): Promise<OverviewRecord>;
}

export function accountClient(send: Send): AccountClient {
  return {
    logOut: (call) =>
      send({ method: "POST", path: "/auth/logout", answer: Nothing, repeatable: true, ...call }),
    createSignInLink: (call) =>
      send({ method: "POST", path: "/auth/signInLinks", answer: SignInLink, ...call }),
    getOperatorOverview: (call) =>
      send({ ...READ, path: "/operator/overview", answer: OverviewRecord, ...call }),
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
