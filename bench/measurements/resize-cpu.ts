import { type Bench, inTurns, type Measurement, type Samples } from "../lib/measurement.ts";
import { type PlainPostgres, plainPrimary } from "../lib/plain-postgres.ts";
import { CHANGE_DEADLINE_MS, type CreatedService, withReadyService } from "../lib/service.ts";
import { changeUnderLoad } from "./resize-under-load.ts";

const QUERY = "select 1";
const MEMORY_BYTES = 2 * 1024 ** 3;
const RAW = "the engine alone changes the quota";

export const resizeCpu: Measurement = {
  name: "resize",
  title: "Resize of CPU alone, 500/2 ↔ 1000/2, a query every 5 ms",
  rows: [
    {
      title: "failed queries",
      series: "howdah failed",
      unit: "count",
      target: { statistic: "max", atMost: 0 },
      baseline: { title: RAW, series: "plain failed" },
    },
    {
      title: "longest gap between answers",
      series: "howdah gap",
      unit: "ms",
      baseline: { title: RAW, series: "plain gap" },
    },
    { title: "resize accepted → READY in the API", series: "ready", unit: "ms" },
  ],
  run: (bench, samples) =>
    withReadyService(bench, { name: "resize cpu", cpu_millis: "500", memory_gbs: "2" }, async (service) => {
      const plain = await plainPrimary(bench, { process: "server", limits: limits(500) });
      await inTurns(
        bench,
        (run) => resizeService(bench, samples, service, cpuMillis(run)),
        (run) => resizePlain(bench, samples, plain, cpuMillis(run)),
      );
      await plain.remove();
    }),
};

/** Up, down, up, …: both begin at 500. */
function cpuMillis(run: number): number {
  return run % 2 === 1 ? 1_000 : 500;
}

async function resizeService(
  { controlPlane: { api }, signal }: Bench,
  samples: Samples,
  { id, target }: CreatedService,
  cpu: number,
): Promise<void> {
  await changeUnderLoad({ target, statement: QUERY, prefix: "howdah", signal }, samples, async () => {
    const { acceptedAt } = await api.resize(id, { cpu_millis: String(cpu), memory_gbs: "2" });
    samples.add("ready", (await api.untilReady(id, CHANGE_DEADLINE_MS)) - acceptedAt);
  });
}

async function resizePlain(
  { signal }: Bench,
  samples: Samples,
  { container, target }: PlainPostgres,
  cpu: number,
): Promise<void> {
  await changeUnderLoad({ target, statement: QUERY, prefix: "plain", signal }, samples, async () => {
    await container.update(limits(cpu));
  });
}

function limits(cpu: number) {
  return { CpuPeriod: 100_000, CpuQuota: cpu * 100, Memory: MEMORY_BYTES, MemorySwap: MEMORY_BYTES };
}
