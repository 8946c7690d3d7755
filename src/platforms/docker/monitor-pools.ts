/** The monitor's connections, one to each member, kept for as long as they are used. */
import { Pool } from "pg";
import { MONITOR_ROLE, POSTGRES_PORT } from "./patroni-config.ts";

const CONNECT_TIMEOUT_MS = 1_000;
/** More than one installation has containers at a time would mean a leak; the oldest goes first. */
const MAX_POOLS = 2_000;

export interface MonitorPools {
  of(containerId: string, address: string, password: string): Pool;
  close(): Promise<void>;
}

export interface MonitorPoolsOptions {
  readonly queryTimeoutMs: number;
  readonly idleTimeoutMs: number;
}

export function createMonitorPools(
  authorityPem: string,
  { queryTimeoutMs, idleTimeoutMs }: MonitorPoolsOptions,
): MonitorPools {
  const pools = new Map<string, Pool>();

  async function forget(containerId: string): Promise<void> {
    const pool = pools.get(containerId);
    pools.delete(containerId);
    await pool?.end();
  }

  return {
    of(containerId, address, password) {
      const known = pools.get(containerId);
      if (known) return known;
      const pool = new Pool({
        host: address,
        port: POSTGRES_PORT,
        database: "postgres",
        user: MONITOR_ROLE,
        password,
        ssl: { ca: authorityPem },
        max: 1,
        connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
        query_timeout: queryTimeoutMs,
        idleTimeoutMillis: idleTimeoutMs,
        allowExitOnIdle: true,
        application_name: "howdah",
      });
      // An idle connection that breaks is replaced at the next read.
      pool.on("error", () => undefined);
      pools.set(containerId, pool);
      const [oldest] = pools.keys();
      if (pools.size > MAX_POOLS && oldest !== undefined) void forget(oldest);
      return pool;
    },
    async close() {
      await Promise.all([...pools.keys()].map(forget));
    },
  };
}
