/** Clients that number every write and keep every acknowledgement, and come back for ever. */
import { setTimeout as delay } from "node:timers/promises";
import { Client, type ClientConfig, DatabaseError } from "pg";
import type { Ledger, Route, Taken, Write } from "./ledger.ts";

const CONNECT_TIMEOUT_MS = 2_000;
/** A write that was not answered by then is unknown, and its connection given up. */
const WRITE_TIMEOUT_MS = 4_000;
const RECONNECT_MS = 50;

export const TABLE = "create table chaos (client int not null, number int not null)";
export const READ_BACK = "select client, number from chaos";

const INSERT = `insert into chaos values ($1, $2) returning
  ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int as timeline,
  (pg_current_wal_insert_lsn() - '0/0')::text as lsn, host(inet_server_addr()) as server`;

export interface ClientsOptions {
  /** Left out of it: what bounds a wait. */
  readonly logins: Readonly<Record<Route, ClientConfig>>;
  readonly clientsPerRoute: number;
  /** Of each client, from the start of a write to the start of the next. */
  readonly everyMs: number;
  readonly ledger: Ledger;
}

export interface Clients {
  /** Ends them all, once their last write is answered or given up. */
  stop(): Promise<void>;
}

export function startClients({ logins, clientsPerRoute, everyMs, ledger }: ClientsOptions): Clients {
  const stopping = new AbortController();
  const running = (["direct", "pooled"] as const).flatMap((route, index) =>
    Array.from({ length: clientsPerRoute }, (_, at) =>
      keepWriting(
        { route, client: index * clientsPerRoute + at + 1, config: bounded(logins[route]), everyMs, ledger },
        stopping.signal,
      ),
    ),
  );
  return {
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

/** Both ends of every wait are bounded: what hangs must not keep a client from trying again. */
export function bounded(config: ClientConfig): ClientConfig {
  return {
    ...config,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: WRITE_TIMEOUT_MS,
    keepAlive: true,
  };
}

interface Writer {
  readonly route: Route;
  readonly client: number;
  readonly config: ClientConfig;
  readonly everyMs: number;
  readonly ledger: Ledger;
}

async function keepWriting(writer: Writer, signal: AbortSignal): Promise<void> {
  let connection: Connection | null = null;
  for (let number = 1; !signal.aborted; ) {
    const startedAt = performance.now();
    connection ??= await connect(writer.config);
    if (connection === null) {
      await pause(RECONNECT_MS, signal);
      continue;
    }
    const write = await writeOnce(writer, connection, number);
    number += 1;
    writer.ledger.add(write);
    if (write.outcome !== "acknowledged") {
      connection.close();
      connection = null;
    }
    await pause(Math.max(0, writer.everyMs - (performance.now() - startedAt)), signal);
  }
  connection?.close();
}

interface Connection {
  readonly client: Client;
  /** Whether a commit was acknowledged that no replica has confirmed, though one should have. */
  readonly gaveUpWaiting: () => boolean;
  readonly close: () => void;
}

async function connect(config: ClientConfig): Promise<Connection | null> {
  const client = new Client(config);
  let gaveUp = false;
  // What breaks while idle shows at the next write.
  client.on("error", () => undefined);
  client.on("notice", ({ message }) => {
    if (message?.includes("synchronous replication")) gaveUp = true;
  });
  const close = () => void client.end().catch(() => undefined);
  try {
    await client.connect();
    return { client, gaveUpWaiting: () => gaveUp, close };
  } catch {
    close();
    return null;
  }
}

async function writeOnce(
  writer: Writer,
  { client, gaveUpWaiting }: Connection,
  number: number,
): Promise<Write> {
  const about = { route: writer.route, client: writer.client, number, sentAt: performance.now() };
  try {
    const { rows } = await client.query(INSERT, [writer.client, number]);
    const endedAt = performance.now();
    if (gaveUpWaiting())
      return { ...about, endedAt, outcome: "unknown", why: "committed without its replica" };
    return { ...about, endedAt, outcome: "acknowledged", ...takenFrom(rows[0]) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    // Only an ERROR ends the transaction for certain; FATAL may come after the commit.
    const refused = error instanceof DatabaseError && error.severity === "ERROR";
    return { ...about, endedAt: performance.now(), outcome: refused ? "refused" : "unknown", why };
  }
}

function takenFrom(row: Record<string, unknown> | undefined): Taken {
  return { timeline: Number(row?.["timeline"]), lsn: Number(row?.["lsn"]), server: String(row?.["server"]) };
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
