import { type Bench, inTurns, type Measurement, type Samples } from "../lib/measurement.ts";
import {
  createPlainNetwork,
  PLAIN_SOCKET_FOLDER,
  plainPrimary,
  startPlainStandby,
} from "../lib/plain-postgres.ts";
import { CHANGE_DEADLINE_MS, onlyMember, withReadyService } from "../lib/service.ts";
import { untilStreaming } from "../lib/streaming.ts";

/** Where a member keeps its socket. */
const MEMBER_SOCKET_FOLDER = "/run";
const RAW = { title: "container with pg_basebackup → streaming", series: "plain" };

export const ha: Measurement = {
  name: "ha",
  title: "High availability, 0 → 1 replica of an empty service",
  rows: [
    {
      title: "setHA accepted → streaming",
      series: "streaming",
      unit: "ms",
      target: { statistic: "median", atMost: 5_000 },
      baseline: RAW,
    },
    { title: "setHA accepted → READY in the API", series: "ready", unit: "ms", baseline: RAW },
  ],
  run: async (bench, samples) => {
    const network = await createPlainNetwork(bench);
    await inTurns(
      bench,
      (run) => addReplica(bench, samples, run),
      () => addPlainStandby(bench, samples, network),
    );
  },
};

async function addReplica(bench: Bench, samples: Samples, run: number): Promise<void> {
  const { engine, signal } = bench;
  const { api } = bench.controlPlane;
  await withReadyService(bench, { name: `ha ${run}` }, async ({ id }) => {
    const member = await onlyMember(engine, id);
    const streaming = untilStreaming(engine, member, MEMBER_SOCKET_FOLDER, CHANGE_DEADLINE_MS, signal);
    const changed = api.setHa(id, { replica_count: 1 });
    const ready = changed.then(() => api.untilReady(id, CHANGE_DEADLINE_MS));
    const [{ acceptedAt }, streamingAt, readyAt] = await Promise.all([changed, streaming, ready]);
    samples.add("streaming", streamingAt - acceptedAt);
    samples.add("ready", readyAt - acceptedAt);
  });
}

async function addPlainStandby(bench: Bench, samples: Samples, network: string): Promise<void> {
  const { engine, signal } = bench;
  const primary = await plainPrimary(bench, { process: "server", network });
  try {
    const streaming = untilStreaming(
      engine,
      primary.container,
      PLAIN_SOCKET_FOLDER,
      CHANGE_DEADLINE_MS,
      signal,
    );
    const startedAt = performance.now();
    const starting = startPlainStandby(bench, primary, network);
    const [standby, streamingAt] = await Promise.all([starting, streaming]);
    samples.add("plain", streamingAt - startedAt);
    await standby.remove();
  } finally {
    await primary.remove();
  }
}
