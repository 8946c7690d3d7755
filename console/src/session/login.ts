/**
 * The logins of this browser tab, in its memory alone: nothing stores them, a reload forgets them. They belong to the account
 * that was signed in, and are unreachable once that is gone.
 */
import type { Account } from "./session.ts";

export interface Login {
  readonly user: string;
  readonly database: string;
  readonly password: string;
}

export const USUAL_LOGIN: Login = { user: "tsdbadmin", database: "tsdb", password: "" };

const logins = new WeakMap<Account, Map<string, Login>>();

export function loginOf(account: Account, serviceId: string): Login | null {
  return logins.get(account)?.get(serviceId) ?? null;
}

/** null forgets it. */
export function keepLogin(account: Account, serviceId: string, login: Login | null): void {
  const known = logins.get(account) ?? new Map<string, Login>();
  logins.set(account, known);
  if (login) known.set(serviceId, login);
  else known.delete(serviceId);
}
