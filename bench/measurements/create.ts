import type { Bench, Measurement, Samples } from "../lib/measurement.ts";
import { inTurns } from "../lib/measurement.ts";
import { startPlainPrimary } from "../lib/plain-postgres.ts";
import { CHANGE_DEADLINE_MS, withService } from "../lib/service.ts";
import { firstSelect } from "../lib/sql.ts";

const RAW = { title: "container with initdb and PostgreSQL alone → first SELECT 1", series: "plain" };

export const create: Measurement = {
  name: "create",
  title: "Create",
  rows: [
    {
      title: "create accepted → first SELECT 1 by TLS",
      series: "select",
      unit: "ms",
      target: { statistic: "median", atMost: 2_500 },
      baseline: RAW,
    },
    { title: "create accepted → READY in the API", series: "ready", unit: "ms", baseline: RAW },
    { title: "create sent → 202, one client", series: "accepted", unit: "ms" },
  ],
  run: (bench, samples) =>
    inTurns(
      bench,
      (run) => createService(bench, samples, run),
      () => startPlain(bench, samples),
    ),
};

async function createService(bench: Bench, samples: Samples, run: number): Promise<void> {
  await withService(bench, { name: `create ${run}` }, async ({ id, target, sentAt, acceptedAt }) => {
    samples.add("accepted", acceptedAt - sentAt);
    await Promise.all([
      firstSelect(target, CHANGE_DEADLINE_MS, bench.signal).then((at) =>
        samples.add("select", at - acceptedAt),
      ),
      bench.controlPlane.api
        .untilReady(id, CHANGE_DEADLINE_MS)
        .then((at) => samples.add("ready", at - acceptedAt)),
    ]);
  });
}

async function startPlain(bench: Bench, samples: Samples): Promise<void> {
  const startedAt = performance.now();
  const plain = await startPlainPrimary(bench, { process: "server" });
  try {
    const answeredAt = await firstSelect(plain.target, CHANGE_DEADLINE_MS, bench.signal);
    samples.add("plain", answeredAt - startedAt);
  } finally {
    await plain.remove();
  }
}
