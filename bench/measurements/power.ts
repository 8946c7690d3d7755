import { type Bench, inTurns, type Measurement, type Samples } from "../lib/measurement.ts";
import { plainPrimary } from "../lib/plain-postgres.ts";
import { CHANGE_DEADLINE_MS, withReadyService } from "../lib/service.ts";
import { firstSelect } from "../lib/sql.ts";

const RAW_STOP = { title: "docker stop of a plain container", series: "plain stop" };
const RAW_START = { title: "docker start of a plain container → first SELECT 1", series: "plain start" };

/** One service lives through all runs: a stop or a start is what is measured, not what was there before. */
export const power: Measurement = {
  name: "power",
  title: "Stopping an idle service, and starting it again",
  rows: [
    { title: "stop accepted → PAUSED", series: "stop", unit: "ms", baseline: RAW_STOP },
    { title: "start accepted → first SELECT 1", series: "select", unit: "ms", baseline: RAW_START },
    {
      title: "start accepted → READY",
      series: "start",
      unit: "ms",
      target: { statistic: "median", atMost: 1_500 },
      baseline: RAW_START,
    },
  ],
  run: async (bench, samples) => {
    const plain = await plainPrimary(bench, { process: "server" });
    try {
      await withReadyService(bench, { name: "power" }, (service) =>
        inTurns(
          bench,
          () => pauseAndResume(bench, samples, service),
          () => restartPlain(bench, samples, plain),
        ),
      );
    } finally {
      await plain.remove();
    }
  },
};

async function pauseAndResume(
  { controlPlane: { api }, signal }: Bench,
  samples: Samples,
  { id, target }: { readonly id: string; readonly target: Parameters<typeof firstSelect>[0] },
): Promise<void> {
  const stopped = await api.change(id, "stop");
  samples.add("stop", (await api.untilStatus(id, "PAUSED", CHANGE_DEADLINE_MS)) - stopped.acceptedAt);
  const started = await api.change(id, "start");
  const [selectedAt, readyAt] = await Promise.all([
    firstSelect(target, CHANGE_DEADLINE_MS, signal),
    api.untilReady(id, CHANGE_DEADLINE_MS),
  ]);
  samples.add("select", selectedAt - started.acceptedAt);
  samples.add("start", readyAt - started.acceptedAt);
}

async function restartPlain(
  { signal }: Bench,
  samples: Samples,
  plain: Awaited<ReturnType<typeof plainPrimary>>,
): Promise<void> {
  const stoppedAt = performance.now();
  await plain.container.stop();
  samples.add("plain stop", performance.now() - stoppedAt);
  const startedAt = performance.now();
  await plain.container.start();
  const target = await plain.currentTarget();
  samples.add("plain start", (await firstSelect(target, CHANGE_DEADLINE_MS, signal)) - startedAt);
}
