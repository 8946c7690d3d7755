/** One connection to a service's database, for one request, which whoever asked may end at any moment. */
import { Client } from "pg";
import { QUERY_BOUNDS, type QueryBody } from "../contract/query.ts";
import type { DatabaseAddress } from "../lib/database-address.ts";
import { type BackendKey, cancelBackend } from "./cancel.ts";
import { bounded, loginRefusal } from "./refusals.ts";

const CONNECT_TIMEOUT_MS = 5_000;
const MOST_NOTICES = 100;
/** How long a cancelled statement may take to end before its connection is given up. */
const FAREWELL_MS = 2_000;

export interface Notice {
  readonly severity: string;
  readonly message: string;
}

export interface Session {
  readonly client: Client;
  readonly notices: Notice[];
  /** Cancels what runs; the connection stays, unless the server does not heed it. */
  cancel(): Promise<void>;
  /** It was heeded: the connection stays for what comes. */
  keep(): void;
  /** Cancels what runs, and ends the connection without waiting for it. */
  abandon(): Promise<void>;
  end(): Promise<void>;
}

/** Throws DATABASE_LOGIN_REFUSED or UNAVAILABLE, and the signal's reason. */
export async function openSession(
  address: DatabaseAddress,
  body: QueryBody,
  signal: AbortSignal,
): Promise<Session> {
  const client = new Client({
    host: address.host,
    port: address.port,
    user: body.user ?? "tsdbadmin",
    database: body.database ?? "tsdb",
    password: body.password,
    ssl: address.authorityPem === null ? false : { ca: address.authorityPem },
    options: sessionOptions(body),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: "howdah query",
  });
  // What breaks shows at the query that is under way.
  client.on("error", () => undefined);
  let key: BackendKey | null = null;
  client.connection.on("backendKeyData", (told: BackendKey) => {
    key = told;
  });
  const hangUp = () => client.connection.stream.destroy();
  signal.addEventListener("abort", hangUp, { once: true });
  try {
    await client.connect();
  } catch (error) {
    hangUp();
    signal.throwIfAborted();
    throw loginRefusal(error);
  } finally {
    signal.removeEventListener("abort", hangUp);
  }
  return sessionOf(client, () => (key ? cancelBackend(address, key) : Promise.resolve()));
}

function sessionOf(client: Client, passOnCancel: () => Promise<void>): Session {
  const notices: Notice[] = [];
  client.on("notice", ({ severity = "NOTICE", message = "" }) => {
    if (notices.length < MOST_NOTICES) notices.push({ severity, message: bounded(message) });
  });
  let farewell: NodeJS.Timeout | undefined;
  const hangUp = () => client.connection.stream.destroy();
  return {
    client,
    notices,
    async cancel() {
      farewell ??= setTimeout(hangUp, FAREWELL_MS);
      await passOnCancel();
    },
    keep() {
      clearTimeout(farewell);
      farewell = undefined;
    },
    async abandon() {
      await passOnCancel();
      hangUp();
    },
    async end() {
      farewell ??= setTimeout(hangUp, FAREWELL_MS);
      await client.end().catch(() => undefined);
      clearTimeout(farewell);
    },
  };
}

/**
 * Read-only twice: by the guard of the service's image, which nothing in the session undoes, and by PostgreSQL's own default. The
 * server's own clock, and its look after whether anybody still listens, are for a control plane that dies meanwhile.
 */
function sessionOptions({
  read_only = true,
  timeout_seconds = QUERY_BOUNDS.seconds.usual,
}: QueryBody): string {
  const settings = {
    statement_timeout: `${timeout_seconds}s`,
    client_connection_check_interval: "2s",
    ...(read_only ? { "tsdb_admin.read_only_connection": "true", default_transaction_read_only: "on" } : {}),
  };
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(" ");
}
