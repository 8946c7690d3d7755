import { type Bench, inTurns, type Measurement, type Samples } from "../lib/measurement.ts";
import {
  createPlainNetwork,
  PLAIN_SOCKET_FOLDER,
  plainPrimary,
  startPlainStandby,
} from "../lib/plain-postgres.ts";
import { type CreatedService, withAccepted, withReadyService } from "../lib/service.ts";
import { connect, type SqlTarget } from "../lib/sql.ts";
import { untilStreaming } from "../lib/streaming.ts";

const FORK_DEADLINE_MS = 300_000;
const GIB = 1024 ** 3;
const ROW_BYTES = 1_024;
/** So large a statement that few are needed, and so small that each is answered in time. */
const ROWS_AT_A_TIME = 25_000;
const RAW = { title: "container with pg_basebackup of the same → streaming", series: "plain" };

export const fork: Measurement = {
  name: "fork",
  title: "Forking a service with 1 GiB of data",
  rows: [
    { title: "fork accepted → READY", series: "ready", unit: "ms", baseline: RAW },
    { title: "longest wait of a writer of the parent meanwhile", series: "writer", unit: "ms" },
  ],
  run: async (bench, samples) => {
    const network = await createPlainNetwork(bench);
    const plain = await plainPrimary(bench, { process: "server", network });
    try {
      await fill(plain.target);
      await withReadyService(bench, { name: "parent" }, async (parent) => {
        await fill(parent.target);
        await inTurns(
          bench,
          () => forkOnce(bench, samples, parent),
          () => copyPlain(bench, samples, plain, network),
        );
      });
    } finally {
      await plain.remove();
    }
  },
};

async function fill(target: SqlTarget): Promise<void> {
  const client = await connect(target);
  try {
    await client.query("create table ballast (id bigint generated always as identity, filler text)");
    for (let rows = 0; rows * ROW_BYTES < GIB; rows += ROWS_AT_A_TIME) {
      await client.query(
        `insert into ballast (filler) select repeat(md5(random()::text), ${ROW_BYTES / 32})
         from generate_series(1, ${ROWS_AT_A_TIME})`,
      );
    }
    await client.query("create table written (at timestamptz)");
  } finally {
    await client.end();
  }
}

async function forkOnce(bench: Bench, samples: Samples, parent: CreatedService): Promise<void> {
  const { api } = bench.controlPlane;
  const writer = await startWriter(parent.target);
  try {
    await withAccepted(bench, await api.fork(parent.id), async ({ id, acceptedAt }) => {
      samples.add("ready", (await api.untilReady(id, FORK_DEADLINE_MS)) - acceptedAt);
    });
  } finally {
    samples.add("writer", await writer.stop());
  }
}

/** Writes one row after the other; tells the longest of them in the end, in milliseconds. */
async function startWriter(target: SqlTarget): Promise<{ stop(): Promise<number> }> {
  const client = await connect(target);
  const stopping = new AbortController();
  let longestMs = 0;
  const write = async () => {
    while (!stopping.signal.aborted) {
      const sentAt = performance.now();
      await client.query("insert into written values (now())");
      longestMs = Math.max(longestMs, performance.now() - sentAt);
    }
  };
  const writing = write();
  return {
    async stop() {
      stopping.abort();
      await writing;
      await client.end();
      return longestMs;
    },
  };
}

async function copyPlain(
  bench: Bench,
  samples: Samples,
  plain: Awaited<ReturnType<typeof plainPrimary>>,
  network: string,
): Promise<void> {
  const { engine, signal } = bench;
  const streaming = untilStreaming(engine, plain.container, PLAIN_SOCKET_FOLDER, FORK_DEADLINE_MS, signal);
  const startedAt = performance.now();
  const [standby, streamingAt] = await Promise.all([startPlainStandby(bench, plain, network), streaming]);
  samples.add("plain", streamingAt - startedAt);
  await standby.remove();
}
