/** What the editor can suggest of a database, once somebody has logged in to it. */
import { skipToken, useQuery } from "@tanstack/react-query";
import type { Client } from "../../../../src/client/index.ts";
import { keys } from "../../data/queries.ts";
import { useAccount, useClient } from "../../session/client.tsx";
import type { Login } from "../../session/login.ts";
import { CATALOG_QUERY, MOST_TABLES, readCatalog } from "./catalog.ts";

const TIMEOUT_SECONDS = 10;
const KEPT_MS = 5 * 60_000;

/** null: nothing is known yet. */
export function useCatalog(serviceId: string, login: Login | null) {
  const client = useClient();
  const { projectId } = useAccount();
  const { data } = useQuery({
    // The password is no part of the key: keys are read by tools that show what is kept.
    queryKey: [...keys.project(projectId), "catalog", serviceId, login?.user, login?.database],
    queryFn: login ? ({ signal }) => readTables(client, serviceId, login, signal) : skipToken,
    staleTime: KEPT_MS,
    // Suggestions are a help; what a query is refused with is told where it was asked for.
    throwOnError: false,
  });
  return data ?? null;
}

/** Throws ClientError, also where the login is refused. */
export async function readTables(client: Client, serviceId: string, login: Login, signal?: AbortSignal) {
  const body = { ...login, sql: CATALOG_QUERY, max_rows: MOST_TABLES, timeout_seconds: TIMEOUT_SECONDS };
  return readCatalog(await client.query(serviceId, body, signal ? { signal } : {}));
}
