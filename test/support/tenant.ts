/** Connections as a careful client makes them: the certificate is verified against the installation's authority. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { Client, type ClientConfig } from "pg";
import type { Service } from "../../src/contract/service.ts";
import type { Installation } from "./installation.ts";

const CONNECT_TIMEOUT_MS = 30_000;

export interface Login {
  readonly password: string | undefined;
  readonly user?: string;
  readonly database?: string;
  /** Left out: the service's own endpoint. */
  readonly endpoint?: Service["endpoint"];
  readonly options?: string;
  /** How long a connection may take; left out: long enough for a busy machine. */
  readonly timeoutMs?: number;
}

/** The caller ends it. Throws what the connection failed with. */
export async function connectTo(
  { home }: Installation,
  service: Service,
  { endpoint = service.endpoint, timeoutMs = CONNECT_TIMEOUT_MS, ...login }: Login,
): Promise<Client> {
  const config: ClientConfig = {
    host: endpoint?.host,
    port: endpoint?.port,
    user: "tsdbadmin",
    database: "tsdb",
    ssl: { ca: await readFile(path.join(home, "authority.crt"), "utf8") },
    connectionTimeoutMillis: timeoutMs,
    ...login,
  };
  const client = new Client(config);
  // What breaks while idle shows at the next query.
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/** The rows of one query over a connection of its own. */
export async function queryOnce(
  installation: Installation,
  service: Service,
  login: Login,
  sql: string,
): Promise<Record<string, unknown>[]> {
  const client = await connectTo(installation, service, login);
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
