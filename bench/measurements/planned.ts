import { setTimeout as sleep } from "node:timers/promises";
import type { Bench, Measurement, Row, Samples } from "../lib/measurement.ts";
import { CHANGE_DEADLINE_MS, type CreatedService, withReadyService } from "../lib/service.ts";
import { connect, type SqlTarget } from "../lib/sql.ts";
import { startWorkload } from "../lib/workload.ts";

const WRITE = "insert into written values (now())";
const BEFORE_MS = 500;
const AFTER_MS = 1_000;

const NONE = { statistic: "max", atMost: 0 } as const;
const SHORT = { statistic: "max", atMost: 1_500 } as const;

/** Through the pooler nothing may fail; a direct session ends with its server, and what counts is when writes go on. */
const WORK = {
  switchover: { title: "switchover", pooled: SHORT, direct: SHORT },
  replicated: { title: "resize of memory with a replica", pooled: null, direct: null },
  alone: { title: "resize of memory alone", pooled: SHORT, direct: null },
} as const;
type Work = keyof typeof WORK;

export const planned: Measurement = {
  name: "planned",
  title: "Planned work under two writers, each with a write every 5 ms: one through the pooler, one direct",
  rows: Object.entries(WORK).flatMap(([work, { title, pooled, direct }]): readonly Row[] => [
    {
      title: `${title}, pooled: failed transactions`,
      series: `${work} pooled failed`,
      unit: "count",
      target: NONE,
    },
    {
      title: `${title}, pooled: longest stall`,
      series: `${work} pooled gap`,
      unit: "ms",
      ...(pooled ? { target: pooled } : {}),
    },
    {
      title: `${title}, direct: write outage`,
      series: `${work} direct gap`,
      unit: "ms",
      ...(direct ? { target: direct } : {}),
    },
    { title: `${title}, direct: connections refused`, series: `${work} direct refused`, unit: "count" },
  ]),
  run: (bench, samples) =>
    withReadyService(
      bench,
      { name: "planned", cpu_millis: "1000", memory_gbs: "2", replica_count: 1 },
      async (service) => {
        const { api } = bench.controlPlane;
        const measure = await underTwoWriters(bench, samples, service);
        for (let run = 1; run <= bench.runs; run += 1) {
          await measure("switchover", run, () => api.change(service.id, "switchover"));
          await measure("replicated", run, () => resize(bench, service, run));
        }
        await api.setHa(service.id, { replica_count: 0 });
        await api.untilReady(service.id, CHANGE_DEADLINE_MS);
        // It begins with what the last resize has left.
        for (let run = 1; run <= bench.runs; run += 1)
          await measure("alone", run, () => resize(bench, service, bench.runs + run));
      },
    ),
};

/** Up, down, up, …, from 2. */
function resize({ controlPlane: { api } }: Bench, { id }: CreatedService, run: number): Promise<unknown> {
  return api.resize(id, { cpu_millis: "1000", memory_gbs: run % 2 === 1 ? "4" : "2" });
}

async function underTwoWriters(bench: Bench, samples: Samples, { id, target: direct }: CreatedService) {
  const { controlPlane, runs, signal, report } = bench;
  const { host, port } = (await controlPlane.api.enablePooler(id)).connection_pooler?.endpoint ?? {};
  if (host === undefined || port === undefined) throw new Error("the record tells of no pooler");
  const targets: Readonly<Record<"pooled" | "direct", SqlTarget>> = {
    pooled: { ...direct, host, port, database: "tsdb_transaction" },
    direct,
  };
  const client = await connect(direct);
  await client.query("create table written (at timestamptz not null)");
  await client.end();
  return async (work: Work, run: number, change: () => Promise<unknown>) => {
    report(`run ${run} of ${runs}, ${WORK[work].title}`);
    const writers = await Promise.all(
      Object.entries(targets).map(async ([way, target]) => ({
        way,
        workload: await startWorkload(target, WRITE, signal),
      })),
    );
    await sleep(BEFORE_MS, undefined, { signal });
    for (const { workload } of writers) workload.reset();
    await change();
    await controlPlane.api.untilReady(id, CHANGE_DEADLINE_MS);
    await sleep(AFTER_MS, undefined, { signal });
    for (const { way, workload } of writers) {
      const { failed, failedConnections, longestGapMs } = await workload.stop();
      samples.add(`${work} ${way} failed`, failed);
      samples.add(`${work} ${way} refused`, failedConnections);
      samples.add(`${work} ${way} gap`, longestGapMs);
    }
  };
}
