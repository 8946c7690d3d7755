/** Reads from inside the servers what is true of them, over connections that are kept only while they are used. */
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { createMonitorPools } from "./monitor-pools.ts";

const QUERY_TIMEOUT_MS = 2_000;
const IDLE_TIMEOUT_MS = 3_000;

const ProbeRow = Type.Object({
  in_recovery: Type.Boolean(),
  /** Whether its disk is so full that tenants may not write. */
  storage_low: Type.Boolean(),
  /** Whether anything of ours was made inside. */
  has_applied: Type.Boolean(),
  /** Without those that the server does not know. */
  settings: Type.Record(Type.String(), Type.String()),
  /** What a replica itself says of the stream that it receives; null where it receives none. */
  receiver: Type.Union([
    Type.Object({ state: Type.String(), lag_bytes: Type.Union([Type.Number(), Type.Null()]) }),
    Type.Null(),
  ]),
  standbys: Type.Array(
    Type.Object({
      name: Type.String(),
      state: Type.String(),
      synchronous: Type.Boolean(),
      lag_bytes: Type.Union([Type.Number(), Type.Null()]),
    }),
  ),
});

const AppliedRow = Type.Object({ system_version: Type.Integer(), password_version: Type.Integer() });

export interface Probed extends Static<typeof ProbeRow> {
  /** What of ours was made inside last, and with which password; null: nothing yet. */
  readonly applied: Static<typeof AppliedRow> | null;
}

const QUERY = `
  select pg_is_in_recovery() as in_recovery,
         coalesce(current_setting('howdah.storage', true), 'enough') <> 'enough' as storage_low,
         to_regclass('howdah.applied') is not null as has_applied,
         (select coalesce(jsonb_object_agg(name, value), '{}')
            from unnest($1::text[]) as name, current_setting(name, true) as value
            where value is not null) as settings,
         (select jsonb_build_object('state', coalesce(status, 'unknown'), 'lag_bytes',
                   pg_wal_lsn_diff(latest_end_lsn, pg_last_wal_replay_lsn())::float8)
            from pg_stat_wal_receiver) as receiver,
         coalesce((select jsonb_agg(jsonb_build_object(
           'name', application_name,
           'state', coalesce(state, 'unknown'),
           'synchronous', coalesce(sync_state in ('sync', 'quorum'), false),
           'lag_bytes', case when pg_is_in_recovery() then null
                             else pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::float8 end))
           from pg_stat_replication), '[]') as standbys`;

const APPLIED_QUERY = "select system_version, password_version from howdah.applied";

export interface PostgresProbe {
  /**
   * null while PostgreSQL does not answer.
   * @param settings the names of those that are asked for
   */
  read(
    containerId: string,
    address: string,
    password: string,
    settings: readonly string[],
  ): Promise<Probed | null>;
  close(): Promise<void>;
}

export function createPostgresProbe(authorityPem: string): PostgresProbe {
  const pools = createMonitorPools(authorityPem, {
    queryTimeoutMs: QUERY_TIMEOUT_MS,
    idleTimeoutMs: IDLE_TIMEOUT_MS,
  });

  return {
    async read(containerId, address, password, settings) {
      try {
        const pool = pools.of(containerId, address, password);
        const row: unknown = (await pool.query(QUERY, [settings])).rows[0];
        if (!Value.Check(ProbeRow, row)) return null;
        const applied: unknown = row.has_applied ? (await pool.query(APPLIED_QUERY)).rows[0] : null;
        return { ...row, applied: Value.Check(AppliedRow, applied) ? applied : null };
      } catch {
        return null;
      }
    },
    close: () => pools.close(),
  };
}
