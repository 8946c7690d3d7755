/** The connection to the state database. */
import path from "node:path";
import { Kysely, PostgresDialect, type Transaction } from "kysely";
import { runner } from "node-pg-migrate";
import { Client, type ClientConfig, type CustomTypesConfig, Pool, types } from "pg";
import { preparing } from "./prepared.ts";
import type { Tables } from "./schema.ts";

export type Db = Kysely<Tables>;
export type Trx = Transaction<Tables>;

/** What a store function needs: the query builder, and the pool for statements that are prepared by name. */
export interface Store {
  readonly db: Db;
  readonly pool: Pool;
  close(): Promise<void>;
}

export interface StoreOptions {
  readonly databaseUrl: string;
  /** Shown in pg_stat_activity. */
  readonly applicationName?: string;
  /** Connections at most; further queries wait for one. */
  readonly poolSize?: number;
  /** How long a query waits for a connection; left out: 3 s. */
  readonly connectWithinMs?: number;
  /**
   * Whether a commit waits until it is on disk, as it does when left out. Without it the last fraction of a second can
   * be lost if the state database crashes: right only for what can be observed again.
   */
  readonly durable?: boolean;
  /** Told of connections that broke; the next query opens another. */
  readonly onConnectionLost?: (error: Error) => void;
}

const CONNECT_TIMEOUT_MS = 3_000;
const STATEMENT_TIMEOUT_MS = 5_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;
const DEFAULT_POOL_SIZE = 10;
/** A connection into nowhere, as a network that drops packets leaves it, is given up after this long. */
const CONNECTION_LIFETIME_S = 60;

/** Opens nothing yet: the first query connects. */
export function connect(options: StoreOptions): Store {
  const pool = new Pool({
    ...connectionConfig(options.databaseUrl, options.applicationName),
    ...(options.durable === false ? { options: "-c synchronous_commit=off" } : {}),
    max: options.poolSize ?? DEFAULT_POOL_SIZE,
    connectionTimeoutMillis: options.connectWithinMs ?? CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS,
    maxLifetimeSeconds: CONNECTION_LIFETIME_S,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
  });
  const lost = options.onConnectionLost ?? (() => {});
  pool.on("error", lost);
  // A connection that breaks between two statements of a transaction belongs to no query and to no pool.
  pool.on("connect", (client) => client.on("error", () => {}));
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: preparing(pool) }),
  });
  return { db, pool, close: () => pool.end() };
}

/** Of a single connection, with counts and sizes as numbers. */
export function connectionConfig(databaseUrl: string, applicationName = "howdah"): ClientConfig {
  return {
    connectionString: databaseUrl,
    application_name: applicationName,
    keepAlive: true,
    types: { getTypeParser },
  };
}

/** Brings the schema up to date. Safe to run by several processes at once: the later ones wait. */
export async function migrate(databaseUrl: string): Promise<void> {
  const client = new Client({
    ...connectionConfig(databaseUrl, "howdah migrations"),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  await client.connect();
  try {
    await runner({
      dbClient: client,
      dir: path.join(import.meta.dirname, "migrations"),
      migrationsTable: "migrations",
      direction: "up",
      advisoryLockMode: "wait",
      log: () => {},
    });
  } finally {
    await client.end();
  }
}

/** Whether the state database answers. */
export async function isReady(store: Store): Promise<boolean> {
  return store.pool.query("select 1").then(
    () => true,
    () => false,
  );
}

/** No count or size here reaches 2^53, so bigints are plain numbers. */
const getTypeParser: CustomTypesConfig["getTypeParser"] = (oid, format) =>
  oid === types.builtins.INT8 && format !== "binary" ? Number : types.getTypeParser(oid, format);
