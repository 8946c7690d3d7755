import { settingsForSize } from "../../src/planner/settings.ts";
import { execIn } from "../lib/exec.ts";
import { type Bench, inTurns, type Measurement, type Samples } from "../lib/measurement.ts";
import { PLAIN_DATA, PLAIN_SOCKET_FOLDER, type PlainPostgres, plainPrimary } from "../lib/plain-postgres.ts";
import { CHANGE_DEADLINE_MS, type CreatedService, withReadyService } from "../lib/service.ts";
import { connect, type SqlTarget } from "../lib/sql.ts";
import { changeUnderLoad } from "./resize-under-load.ts";

const TABLE =
  "create table written (id bigint generated always as identity primary key, at timestamptz not null)";
const WRITE = "insert into written (at) values (now())";
const RESTART_DEADLINE_MS = 60_000;
const RAW = "pg_ctl restart alone";

export const resizeMemory: Measurement = {
  name: "resize",
  title: "Resize of memory of a single member, 1000/2 ↔ 1000/4, a write every 5 ms",
  rows: [
    {
      title: "write outage",
      series: "howdah gap",
      unit: "ms",
      target: { statistic: "max", atMost: 2_000 },
      baseline: { title: RAW, series: "plain gap" },
    },
    {
      title: "failed writes",
      series: "howdah failed",
      unit: "count",
      baseline: { title: RAW, series: "plain failed" },
    },
    { title: "resize accepted → READY in the API", series: "ready", unit: "ms" },
  ],
  run: (bench, samples) =>
    withReadyService(
      bench,
      { name: "resize memory", cpu_millis: "1000", memory_gbs: "2" },
      async (service) => {
        const plain = await plainPrimary(bench, {
          process: "shell",
          limits: limits(2),
          sharedBuffers: sharedBuffers(2),
        });
        await Promise.all([createTable(service.target), createTable(plain.target)]);
        await inTurns(
          bench,
          (run) => resizeService(bench, samples, service, memoryGbs(run)),
          (run) => resizePlain(bench, samples, plain, memoryGbs(run)),
        );
        await plain.remove();
      },
    ),
};

/** Up, down, up, …: both begin at 2. */
function memoryGbs(run: number): number {
  return run % 2 === 1 ? 4 : 2;
}

async function resizeService(
  { controlPlane: { api }, signal }: Bench,
  samples: Samples,
  { id, target }: CreatedService,
  memory: number,
): Promise<void> {
  await changeUnderLoad({ target, statement: WRITE, prefix: "howdah", signal }, samples, async () => {
    const { acceptedAt } = await api.resize(id, { cpu_millis: "1000", memory_gbs: String(memory) });
    samples.add("ready", (await api.untilReady(id, CHANGE_DEADLINE_MS)) - acceptedAt);
  });
}

/** What cannot be spared: another shared_buffers takes a restart. Memory is lent before it and taken back after it. */
async function resizePlain(
  { engine, signal }: Bench,
  samples: Samples,
  { container, target }: PlainPostgres,
  memory: number,
): Promise<void> {
  const psql = `psql --host=${PLAIN_SOCKET_FOLDER} --username=postgres -XAtq`;
  const restart = [
    `${psql} --command="alter system set shared_buffers = '${sharedBuffers(memory)}'"`,
    `pg_ctl restart -D ${PLAIN_DATA} --mode=fast --wait --silent`,
  ].join(" && ");
  await changeUnderLoad({ target, statement: WRITE, prefix: "plain", signal }, samples, async () => {
    await container.update(limits(4));
    await execIn(
      engine,
      container,
      ["sh", "-c", `${restart} > /tmp/restart.log 2>&1`],
      RESTART_DEADLINE_MS,
      signal,
    );
    await container.update(limits(memory));
  });
}

async function createTable(target: SqlTarget): Promise<void> {
  const client = await connect(target);
  try {
    await client.query(TABLE);
  } finally {
    await client.end();
  }
}

/** As a service of that size would have it. */
function sharedBuffers(memory: number): string {
  const { shared_buffers } = settingsForSize({ kind: "dedicated", cpuMillis: 1_000, memoryGbs: memory });
  if (shared_buffers === undefined) throw new Error("sizes do not decide on shared_buffers any more");
  return shared_buffers;
}

function limits(memory: number) {
  const bytes = memory * 1024 ** 3;
  return { CpuPeriod: 100_000, CpuQuota: 100_000, Memory: bytes, MemorySwap: bytes };
}
