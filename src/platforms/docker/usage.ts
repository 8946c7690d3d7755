/** What members use: one statement to each, over a connection that stays, and one look at the engine for all of them. */
import type { Pool } from "pg";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import type { NodeUsage, ServiceIdentity } from "../platform.ts";
import { ControlGroup, readControlGroup } from "./cgroup.ts";
import { type Context, installationFilters } from "./context.ts";
import { createMonitorPools } from "./monitor-pools.ts";
import { holdsData, LABEL, memberName } from "./names.ts";

const QUERY_TIMEOUT_MS = 2_000;
/** Longer than samples are apart: logging in anew would cost far more than all the rest. */
const IDLE_TIMEOUT_MS = 30_000;
/** Which members run is asked about once for all services that are sampled in one go. */
const MEMBERS_KEPT_MS = 8_000;
/** Adding up the files of a database takes time with their number. */
const STORAGE_EVERY_MS = 60_000;

export interface UsageReader {
  read(service: ServiceIdentity): Promise<readonly NodeUsage[]>;
  close(): Promise<void>;
}

interface RunningMember {
  readonly ordinal: number;
  readonly containerId: string;
  readonly address: string;
}

interface Storage {
  readonly readAtMs: number;
  readonly storage_bytes?: number;
  readonly wal_size_bytes?: number;
}

interface Reading extends Pick<Static<typeof UsageRow>, "standbys" | "received"> {
  readonly usage: NodeUsage;
}

export function createUsageReader(context: Context): UsageReader {
  const pools = createMonitorPools(context.authority.certificatePem, {
    queryTimeoutMs: QUERY_TIMEOUT_MS,
    idleTimeoutMs: IDLE_TIMEOUT_MS,
  });
  const members = rememberedFor(MEMBERS_KEPT_MS, () => runningMembers(context));
  /** By container. */
  const storages = new Map<string, Storage>();

  async function readMember(member: RunningMember, password: string): Promise<Reading | null> {
    const { containerId, address } = member;
    const pool = pools.of(containerId, address, password);
    const row = await readRow(pool);
    if (!row) return null;
    const known = storages.get(containerId);
    if (!known || performance.now() - known.readAtMs > STORAGE_EVERY_MS) {
      storages.set(containerId, { ...known, readAtMs: performance.now() });
      // Nobody waits for it: it is there for the next sample.
      void readStorage(pool).then((read) => storages.set(containerId, read));
    }
    const { standbys, received } = row;
    return { usage: nodeUsage(member.ordinal, row, known), standbys, received };
  }

  return {
    async read({ serviceId, secrets }) {
      const running = await members();
      for (const containerId of storages.keys())
        if (!running.ids.has(containerId)) storages.delete(containerId);
      const readings = await Promise.all(
        (running.byService.get(serviceId) ?? []).map((member) => readMember(member, secrets.monitorPassword)),
      );
      const found = readings.filter((reading) => reading !== null);
      const standbys = found.find(({ usage }) => usage.role === "primary")?.standbys ?? [];
      return found.map((reading) => withLag(reading, standbys));
    },
    close: () => pools.close(),
  };
}

async function runningMembers(context: Context) {
  const running = await context.docker.listContainers({ filters: installationFilters(context) });
  const found = running.filter(({ Labels }) => holdsData(Labels));
  const byService = new Map<string, RunningMember[]>();
  for (const { Id, Labels, NetworkSettings } of found) {
    const { [LABEL.service]: serviceId = "", [LABEL.ordinal]: ordinal } = Labels;
    // One that only reads stands in the network of another service, and in no other.
    const network =
      NetworkSettings.Networks[context.names.network(serviceId)] ??
      Object.values(NetworkSettings.Networks)[0];
    if (!network?.IPAddress) continue;
    const member = { ordinal: Number(ordinal), containerId: Id, address: network.IPAddress };
    byService.set(serviceId, [...(byService.get(serviceId) ?? []), member]);
  }
  return { byService, ids: new Set(found.map(({ Id }) => Id)) };
}

/** What was found is given again for so long; a failure is not. */
function rememberedFor<Found>(ms: number, find: () => Promise<Found>): () => Promise<Found> {
  let known: { readonly found: Promise<Found>; readonly untilMs: number } | null = null;
  return () => {
    if (known && performance.now() < known.untilMs) return known.found;
    const found = find();
    known = { found, untilMs: performance.now() + ms };
    found.catch(() => {
      known = null;
    });
    return found;
  };
}

const Count = Type.Union([Type.Number(), Type.Null()]);

const UsageRow = Type.Object({
  in_recovery: Type.Boolean(),
  epoch: Type.String(),
  at_ms: Type.Number(),
  control_group: Type.Union([ControlGroup, Type.Null()]),
  /** Of the guard; of an image without it, null. */
  guard: Type.Union([
    Type.Object({ queries: Type.Number(), disk_total: Type.Number(), disk_available: Type.Number() }),
    Type.Null(),
  ]),
  counters: Type.Object({
    transactions: Count,
    rollbacks: Count,
    hit: Count,
    read: Count,
    deadlocks: Count,
    temp: Count,
  }),
  /** What PostgreSQL has asked the kernel for; a part of it was cached. */
  files: Type.Object({ read: Count, written: Count }),
  sessions: Type.Object({ all: Type.Number(), active: Type.Number(), most: Type.Number() }),
  locks: Type.Object({ all: Type.Number(), waiting: Type.Number() }),
  wal_bytes: Count,
  standbys: Type.Array(Type.Object({ name: Type.String(), lag_bytes: Count, lag_seconds: Count })),
  /** What a replica itself says of the stream that it receives; null where it receives none. */
  received: Type.Union([Type.Object({ lag_bytes: Count, lag_seconds: Count }), Type.Null()]),
});
type UsageRow = Static<typeof UsageRow>;

/** @param controlGroup reads the files; databases that an earlier version has made do not have it yet */
const query = (controlGroup: string) => `
  select pg_is_in_recovery() as in_recovery,
         extract(epoch from pg_postmaster_start_time())::text as epoch,
         extract(epoch from clock_timestamp())::float8 * 1000 as at_ms,
         ${controlGroup} as control_group,
         nullif(current_setting('howdah.usage', true), '')::jsonb as guard,
         (select jsonb_build_object(
            'transactions', sum(xact_commit + xact_rollback), 'rollbacks', sum(xact_rollback),
            'hit', sum(blks_hit), 'read', sum(blks_read), 'deadlocks', sum(deadlocks), 'temp', sum(temp_bytes))
            from pg_stat_database where datname <> 'postgres') as counters,
         (select jsonb_build_object('read', sum(reads * op_bytes),
            'written', sum((coalesce(writes, 0) + coalesce(extends, 0)) * op_bytes)) from pg_stat_io) as files,
         (select jsonb_build_object('all', count(*), 'active', count(*) filter (where state = 'active'),
            'most', current_setting('max_connections')::int)
            from pg_stat_activity where backend_type = 'client backend' and datname <> 'postgres') as sessions,
         (select jsonb_build_object('all', count(*), 'waiting', count(*) filter (where not granted))
            from pg_locks where pid <> pg_backend_pid()) as locks,
         pg_wal_lsn_diff(case when pg_is_in_recovery() then pg_last_wal_replay_lsn()
                              else pg_current_wal_lsn() end, '0/0')::float8 as wal_bytes,
         (select jsonb_build_object(
            'lag_bytes', pg_wal_lsn_diff(latest_end_lsn, pg_last_wal_replay_lsn())::float8,
            'lag_seconds', case when latest_end_lsn > pg_last_wal_replay_lsn()
                                then extract(epoch from now() - pg_last_xact_replay_timestamp()) else 0 end)
            from pg_stat_wal_receiver) as received,
         coalesce((select jsonb_agg(jsonb_build_object(
            'name', application_name,
            'lag_bytes', case when pg_is_in_recovery() then null
                              else pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::float8 end,
            'lag_seconds', coalesce(extract(epoch from replay_lag), 0)))
            from pg_stat_replication), '[]') as standbys`;

const QUERY = query("howdah.control_group()");
const QUERY_WITHOUT_FILES = query("null::jsonb");

/** null while it does not answer. */
async function readRow(pool: Pool): Promise<UsageRow | null> {
  try {
    const { rows } = await pool.query({ name: "usage", text: QUERY }).catch((error: unknown) => {
      if (isMissing(error)) return pool.query({ name: "usage without files", text: QUERY_WITHOUT_FILES });
      throw error;
    });
    const row: unknown = rows[0];
    return Value.Check(UsageRow, row) ? row : null;
  } catch {
    return null;
  }
}

/** invalid_schema_name, undefined_function, insufficient_privilege */
const MISSING = new Set(["3F000", "42883", "42501"]);

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && MISSING.has(String(error.code));
}

const STORAGE_QUERY = `
  select (select sum(pg_database_size(oid)) from pg_database)::float8 as databases,
         (select sum(size) from pg_ls_waldir())::float8 as wal`;
const StorageRow = Type.Object({ databases: Type.Number(), wal: Type.Number() });

/** Empty where that takes too long. */
async function readStorage(pool: Pool): Promise<Storage> {
  const readAtMs = performance.now();
  try {
    const row: unknown = (await pool.query({ name: "storage", text: STORAGE_QUERY })).rows[0];
    if (!Value.Check(StorageRow, row)) return { readAtMs };
    return { readAtMs, storage_bytes: row.databases + row.wal, wal_size_bytes: row.wal };
  } catch {
    return { readAtMs };
  }
}

function nodeUsage(ordinal: number, row: UsageRow, storage: Storage | undefined): NodeUsage {
  const { counters, sessions, locks, guard } = row;
  const kernel = row.control_group && readControlGroup(row.control_group);
  // Which of the two counts is known from the beginning, or changes once.
  const countsIo = kernel?.counters.ioReadBytes !== undefined;
  return {
    ordinal,
    role: row.in_recovery ? "replica" : "primary",
    epoch: `${row.epoch} ${countsIo ? "kernel" : "files"}`,
    readAtMs: row.at_ms,
    gauges: {
      ...kernel?.gauges,
      ...(guard ? { disk_total_bytes: guard.disk_total, disk_available_bytes: guard.disk_available } : {}),
      ...(storage?.storage_bytes === undefined ? {} : { storage_bytes: storage.storage_bytes }),
      ...(storage?.wal_size_bytes === undefined ? {} : { wal_size_bytes: storage.wal_size_bytes }),
      connections: sessions.all,
      active_connections: sessions.active,
      max_connections: sessions.most,
      locks: locks.all,
      waiting_locks: locks.waiting,
    },
    counters: {
      ...(countsIo
        ? {}
        : {
            ioReadBytes: row.files.read ?? 0,
            ioWriteBytes: (row.files.written ?? 0) + (row.wal_bytes ?? 0),
          }),
      ...kernel?.counters,
      transactions: counters.transactions ?? 0,
      rollbacks: counters.rollbacks ?? 0,
      blocksHit: counters.hit ?? 0,
      blocksRead: counters.read ?? 0,
      deadlocks: counters.deadlocks ?? 0,
      tempBytes: counters.temp ?? 0,
      ...(guard ? { queries: guard.queries } : {}),
      ...(row.wal_bytes === null ? {} : { walBytes: row.wal_bytes }),
    },
  };
}

/** How far a replica is behind is what its primary says of it; of one that only reads, what it says itself. */
function withLag({ usage, received }: Reading, standbys: UsageRow["standbys"]): NodeUsage {
  const standby = standbys.find(({ name }) => name === memberName(usage.ordinal)) ?? received;
  if (usage.role === "primary" || !standby) return usage;
  const { lag_bytes, lag_seconds } = standby;
  return {
    ...usage,
    gauges: {
      ...usage.gauges,
      ...(lag_bytes === null ? {} : { replication_lag_bytes: Math.max(0, lag_bytes) }),
      ...(lag_seconds === null ? {} : { replication_lag_seconds: lag_seconds }),
    },
  };
}
