import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { METRICS } from "../../src/contract/metrics.ts";
import { systemClock } from "../../src/lib/clock.ts";
import type { NodeUsage } from "../../src/platforms/platform.ts";
import { createSimulatedPlatform } from "../../src/platforms/simulated/simulated-platform.ts";
import { startEmbeddedPostgres } from "../../src/setup/embedded-postgres.ts";
import { connect, migrate, type Store } from "../../src/store/db.ts";
import {
  keepMetrics,
  type NodeSample,
  SAMPLE_SECONDS,
  writeSamples,
} from "../../src/store/metric-samples.ts";
import { startSampler } from "../../src/telemetry/sampler.ts";
import type { Measurement } from "../lib/measurement.ts";

const SERVICES = 100;
const NODES = 2;
/** What was sampled before, so that tables and indexes are not empty. */
const HOURS_BEFORE = 2;
const IDLE_RUNS = 3;
/** Five in a hundred of a core. */
const MOST_MS = SAMPLE_SECONDS * 1_000 * 0.05;
const HOUR_MS = 3_600_000;
/** Of the kernel's clock by which it counts CPU. */
const TICK_MS = 10;

/**
 * CPU of the sampler and of the state database together in each ten seconds, with everything that the real ones do:
 * readings, rates, batches, roll-ups. The nodes are made up; what asking a real one costs is in docs/decisions/0028.
 */
export const metrics: Measurement = {
  name: "metrics",
  title: `Metrics of ${SERVICES} services with ${NODES} nodes each, at 10 s`,
  rows: [
    {
      title: "CPU in 10 s, control plane and state database",
      series: "both",
      unit: "ms",
      target: { statistic: "median", atMost: MOST_MS },
      baseline: { title: "The same two without a sampler", series: "idle" },
    },
    { title: "of which the state database", series: "database", unit: "ms" },
    { title: "state database, bytes of a sample", series: "bytes", unit: "count" },
  ],
  run: async ({ runs, report, signal }, samples) => {
    const folder = await mkdtemp(path.join(tmpdir(), "howdah-bench-metrics-"));
    // Where this is root, PostgreSQL runs as somebody else.
    await chmod(folder, 0o755);
    const postgres = await startEmbeddedPostgres({ dataDir: path.join(folder, "data") });
    try {
      await migrate(postgres.url);
      const store = connect({ databaseUrl: postgres.url, durable: false });
      try {
        report(`${HOURS_BEFORE} hours of samples`);
        await fill(store);
        samples.add("bytes", await bytesOfSample(store));
        for (let run = 0; run < IDLE_RUNS; run += 1) samples.add("idle", (await usedIn(folder, signal)).both);
        const sampler = startSampler({
          book: {
            services: async () =>
              SERVICE_IDS.map((id) => ({ regionCode: "bench", identity: identityOf(id) })),
            write: (batch) => writeSamples(store, batch),
            keep: (now) => keepMetrics(store, now),
          },
          platforms: new Map([["bench", { ...createSimulatedPlatform(), usage: async () => usages() }]]),
          clock: systemClock,
          log: pino({ level: "silent" }),
        });
        for (let run = 0; run <= runs; run += 1) {
          const used = await usedIn(folder, signal);
          report(`${run} of ${runs} times 10 s`);
          // The first one warms up.
          if (run === 0) continue;
          samples.add("database", used.database);
          samples.add("both", used.both);
        }
        await sampler.stop();
      } finally {
        await store.close();
      }
    } finally {
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

const SERVICE_IDS = Array.from({ length: SERVICES }, (_, index) => `bench${String(index).padStart(5, "0")}`);

function identityOf(serviceId: string) {
  const secret = "made up";
  return {
    serviceId,
    addons: [],
    port: 20_000,
    readsFrom: null,
    poolerPort: 20_001,
    secrets: {
      adminVerifier: secret,
      replicationPassword: secret,
      rewindPassword: secret,
      monitorPassword: secret,
      patroniPassword: secret,
      poolerPassword: secret,
      poolerKey: secret,
      parent: null,
    },
  };
}

function usages(): readonly NodeUsage[] {
  const readAtMs = Date.now();
  return Array.from({ length: NODES }, (_, ordinal) => ({
    ordinal,
    role: ordinal === 0 ? "primary" : "replica",
    epoch: "bench",
    readAtMs,
    gauges: {
      memory_bytes: Math.random() * 1e9,
      storage_bytes: Math.random() * 1e9,
      disk_total_bytes: 1e12,
      disk_available_bytes: Math.random() * 1e12,
      connections: 10,
      active_connections: 1,
      max_connections: 100,
      replication_lag_bytes: Math.random() * 1e6,
      replication_lag_seconds: Math.random(),
      wal_size_bytes: 1e9,
      locks: 10,
      waiting_locks: 0,
    },
    counters: {
      cpuSeconds: readAtMs / 1e4,
      ioReadBytes: readAtMs,
      ioWriteBytes: readAtMs,
      transactions: readAtMs,
      rollbacks: readAtMs,
      queries: readAtMs,
      blocksHit: readAtMs,
      blocksRead: readAtMs,
      walBytes: readAtMs,
      deadlocks: readAtMs,
      tempBytes: readAtMs,
    },
  }));
}

async function fill(store: Store): Promise<void> {
  const round = SAMPLE_SECONDS * 1_000;
  const now = Math.floor(Date.now() / round) * round;
  for (let at = now - HOURS_BEFORE * HOUR_MS; at < now; at += round)
    await writeSamples(store, madeUp(new Date(at)));
  await keepMetrics(store, new Date(now));
}

function madeUp(at: Date): readonly NodeSample[] {
  return SERVICE_IDS.flatMap((serviceId) =>
    Array.from({ length: NODES }, (_, node) => ({
      serviceId,
      node,
      role: node === 0 ? ("primary" as const) : ("replica" as const),
      at,
      values: METRICS.map(() => Math.random() * 1e6),
    })),
  );
}

async function bytesOfSample({ pool }: Store): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>(
    "select pg_total_relation_size('metric_samples')::float8 / count(*) as bytes from metric_samples",
  );
  return Math.round(rows[0]?.bytes ?? 0);
}

/** Milliseconds of CPU in the time between two samples. */
async function usedIn(folder: string, signal: AbortSignal) {
  const before = await cpuOf(folder);
  await sleep(SAMPLE_SECONDS * 1_000, undefined, { signal });
  const after = await cpuOf(folder);
  const database = after.database - before.database;
  return { database, both: database + after.own - before.own };
}

/** Milliseconds so far, of this process and of the state database with all that it has started. */
async function cpuOf(folder: string): Promise<{ readonly own: number; readonly database: number }> {
  const { user, system } = process.cpuUsage();
  const [postmaster = ""] = (await readFile(path.join(folder, "data", "postmaster.pid"), "utf8")).split("\n");
  let ticks = 0;
  for (const pid of await readdir("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    // Behind the name, which may hold anything: state, parent, …; user, system, and both of children that have ended.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [used = 0, ofSystem = 0, ended = 0, endedOfSystem = 0] = fields.slice(11, 15).map(Number);
    if (fields[1] === postmaster) ticks += used + ofSystem;
    if (pid === postmaster) ticks += used + ofSystem + ended + endedOfSystem;
  }
  return { own: (user + system) / 1_000, database: ticks * TICK_MS };
}
