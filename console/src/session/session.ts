/** Who is signed in: the API keys of this browser session, and which project is looked at. */
import { useSyncExternalStore } from "react";
import { ClientError, createClient, type KeyOwner, signIn as takeLink } from "../../../src/client/index.ts";
import { timedFetch } from "./clock.ts";

/** Below the page's own address, whatever prefix a proxy gave it. */
export const API_BASE = new URL("api/v1", document.baseURI).href;

/** One project, by the key that opens it. */
export interface Account {
  readonly projectId: string;
  readonly projectName: string;
  readonly apiKey: string;
  readonly keyName: string;
  /** What the key may do: operator, admin, member or read_only. */
  readonly role: string;
  /** When the key stops working, RFC 3339; left out: never by itself. */
  readonly expiresAt?: string;
}

export interface Session {
  readonly accounts: readonly Account[];
  /** The project that is looked at; null where nobody is signed in. */
  readonly current: Account | null;
  /** Why a session ended that nobody ended; null: none did, or somebody signed in since. */
  readonly endedBecause: string | null;
}

/** Ends with the browser's session; other tabs have one of their own. */
const STORAGE_KEY = "howdah.session";
const NOBODY: Session = { accounts: [], current: null, endedBecause: null };
/** Signing out does not wait longer for a server that is away. */
const SIGN_OUT_TIMEOUT_MS = 4_000;

let session = restore();
const listeners = new Set<() => void>();

export function useSession(): Session {
  return useSyncExternalStore(subscribe, getSession);
}

export function getSession(): Session {
  return session;
}

/** Asks the API whose key it is, and looks at its project. Throws ClientError. */
export async function signIn(apiKey: string): Promise<Account> {
  const owner = await createClient({
    baseUrl: API_BASE,
    apiKey,
    projectId: "",
    fetch: timedFetch,
  }).getAuthInfo();
  const account = accountOf(apiKey, owner);
  const others = session.accounts.filter(({ projectId }) => projectId !== account.projectId);
  update({ accounts: [...others, account], current: account, endedBecause: null });
  return account;
}

/** Uses a sign-in link, which works once, and signs in with the key that it gives. Throws ClientError. */
export async function signInByLink(token: string): Promise<Account> {
  const { api_key: apiKey } = await takeLink(token, { baseUrl: API_BASE });
  return signIn(apiKey);
}

export function switchTo(projectId: string): void {
  const current = session.accounts.find((account) => account.projectId === projectId);
  if (current) update({ ...session, current });
}

/**
 * Forgets the keys of some projects, at once, and has those revoked that a sign-in link has made. False where the server could
 * not be told: such a key then works until it expires.
 */
export async function signOut(projectIds: readonly string[]): Promise<boolean> {
  const leaving = session.accounts.filter(({ projectId }) => projectIds.includes(projectId));
  forget(projectIds, null);
  const told = await Promise.allSettled(
    leaving.map(({ apiKey, projectId }) =>
      createClient({ baseUrl: API_BASE, apiKey, projectId, timeoutMs: SIGN_OUT_TIMEOUT_MS }).logOut({
        signal: AbortSignal.timeout(SIGN_OUT_TIMEOUT_MS),
      }),
    ),
  );
  return told.every(({ status }) => status === "fulfilled");
}

/** The server takes the key of a project no more. */
export function endSession(projectId: string, because: string): void {
  if (session.accounts.some((account) => account.projectId === projectId)) forget([projectId], because);
}

function forget(projectIds: readonly string[], endedBecause: string | null): void {
  const accounts = session.accounts.filter(({ projectId }) => !projectIds.includes(projectId));
  const { current } = session;
  const stays = current !== null && accounts.includes(current);
  update({ accounts, current: stays ? current : (accounts[0] ?? null), endedBecause });
}

/** Whether an error means that the key is not accepted any more. */
export function isSignedOut(error: unknown): error is ClientError {
  return error instanceof ClientError && error.status === 401;
}

function accountOf(apiKey: string, { api_key: key }: KeyOwner): Account {
  // An API that does not tell refuses by itself what may not be done.
  const { project, name, role = "member", expires_at: expiresAt } = key;
  return {
    apiKey,
    projectId: project.id,
    projectName: project.name,
    keyName: name,
    role,
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}

function update(next: Session): void {
  session = next;
  sessionStorage.setItem(
    STORAGE_KEY,
    JSON.stringify({ accounts: next.accounts, current: next.current?.projectId }),
  );
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function restore(): Session {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "null");
    if (!isKept(kept)) return NOBODY;
    const current = kept.accounts.find(({ projectId }) => projectId === kept.current);
    return { ...NOBODY, accounts: kept.accounts, current: current ?? kept.accounts[0] ?? null };
  } catch {
    return NOBODY;
  }
}

function isKept(kept: unknown): kept is { accounts: Account[]; current?: unknown } {
  if (typeof kept !== "object" || kept === null || !("accounts" in kept)) return false;
  return Array.isArray(kept.accounts) && kept.accounts.every(isAccount);
}

function isAccount(kept: unknown): kept is Account {
  if (typeof kept !== "object" || kept === null) return false;
  const fields: Record<Exclude<keyof Account, "expiresAt">, true> = {
    projectId: true,
    projectName: true,
    apiKey: true,
    keyName: true,
    role: true,
  };
  const found = new Map<string, unknown>(Object.entries(kept));
  return Object.keys(fields).every((field) => typeof found.get(field) === "string");
}
