/** The API as the signed-in key sees it. */
import { createContext, type ReactNode, use, useMemo } from "react";
import { type Client, createClient } from "../../../src/client/index.ts";
import { timedFetch } from "./clock.ts";
import { type Account, API_BASE } from "./session.ts";

interface SignedIn {
  readonly client: Client;
  readonly account: Account;
}

const SignedInContext = createContext<SignedIn | null>(null);

export function ClientProvider({ account, children }: { account: Account; children: ReactNode }) {
  const { apiKey, projectId } = account;
  const value = useMemo(
    () => ({ client: createClient({ baseUrl: API_BASE, apiKey, projectId, fetch: timedFetch }), account }),
    [apiKey, projectId, account],
  );
  return <SignedInContext value={value}>{children}</SignedInContext>;
}

export function useClient(): Client {
  return useSignedIn().client;
}

export function useAccount(): Account {
  return useSignedIn().account;
}

/** Whether the key may change anything. */
export function useMayWrite(): boolean {
  return useAccount().role !== "read_only";
}

function useSignedIn(): SignedIn {
  const value = use(SignedInContext);
  if (!value) throw new Error("nobody is signed in here");
  return value;
}
