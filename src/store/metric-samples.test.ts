import { expect, test } from "vitest";
import { putService } from "../../test/support/drafts.ts";
import { openTestStore } from "../../test/support/store.ts";
import { METRICS, type MetricName, metricPlace } from "../contract/metrics.ts";
import { keepMetrics, type NodeSample, writeSamples } from "./metric-samples.ts";
import { newestSamples, readSeries, type SeriesQuery } from "./metric-series.ts";
import { getService, listServices } from "./services.ts";

const base = await openTestStore();
const { store, projectId } = base;

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 24 * HOUR;
/** A full hour. */
const NOON = Date.UTC(2026, 10, 21, 12) / 1000;

/** @param at seconds of the epoch */
function sample(serviceId: string, at: number, values: Partial<Record<MetricName, number>>): NodeSample {
  return {
    serviceId,
    node: 0,
    role: "primary",
    at: new Date(at * 1000),
    values: METRICS.map(({ name }) => values[name] ?? null),
  };
}

/** One each ten seconds: 0, 1, 2, … */
function ramp(serviceId: string, from: number, count: number): NodeSample[] {
  return Array.from({ length: count }, (_, index) =>
    sample(serviceId, from + index * 10, { cpu_millis: index }),
  );
}

type Asked = Partial<SeriesQuery> & Pick<SeriesQuery, "from" | "to"> & { readonly serviceId: string };

function series({ serviceId, ...query }: Asked, now = NOON) {
  return readSeries(
    store,
    { serviceIds: [serviceId], name: "cpu_millis", bucketSeconds: MINUTE, fn: "avg", ...query },
    new Date(now * 1000),
  );
}

const rollups = async (serviceId: string) =>
  (
    await store.pool.query(
      `select width_seconds, extract(epoch from at)::int as at, samples, avg[1], min[1], max[1], last[1]
         from metric_rollups where service_id = $1 order by width_seconds, at`,
      [serviceId],
    )
  ).rows;

const countSamples = async (serviceId: string): Promise<number> =>
  (await store.pool.query("select count(*) as n from metric_samples where service_id = $1", [serviceId]))
    .rows[0].n;

test("samples of the last day are told as they are, by each of the functions", async () => {
  await writeSamples(store, ramp("aaaaaaaaaa", NOON - HOUR, 12));
  const query = { serviceId: "aaaaaaaaaa", from: NOON - HOUR, to: NOON - HOUR + 2 * MINUTE };
  const values = async (fn: SeriesQuery["fn"]) => (await series({ ...query, fn })).map(({ value }) => value);
  expect(await values("avg")).toEqual([2.5, 8.5]);
  expect(await values("min")).toEqual([0, 6]);
  expect(await values("max")).toEqual([5, 11]);
  expect(await values("last")).toEqual([5, 11]);
  expect(await series({ ...query, role: "replica" })).toEqual([]);
  expect(await series({ ...query, node: 1 })).toEqual([]);
  expect(await series({ ...query, name: "locks" })).toEqual([]);
});

test("a batch that comes twice is written once", async () => {
  const batch = ramp("bbbbbbbbbb", NOON - HOUR, 3);
  await writeSamples(store, batch);
  await writeSamples(store, batch);
  expect(await countSamples("bbbbbbbbbb")).toBe(3);
});

test("roll-ups hold what the samples held, and making them again changes nothing", async () => {
  await writeSamples(store, ramp("cccccccccc", NOON - 2 * HOUR, 60));
  await keepMetrics(store, new Date(NOON * 1000));
  const expected = [
    { width_seconds: 300, at: NOON - 2 * HOUR, samples: 30, avg: 14.5, min: 0, max: 29, last: 29 },
    { width_seconds: 300, at: NOON - 2 * HOUR + 300, samples: 30, avg: 44.5, min: 30, max: 59, last: 59 },
    { width_seconds: 3600, at: NOON - 2 * HOUR, samples: 60, avg: 29.5, min: 0, max: 59, last: 59 },
  ];
  expect(await rollups("cccccccccc")).toEqual(expected);
  await store.pool.query("update metric_progress set done_until = to_timestamp($1)", [NOON - 3 * HOUR]);
  await keepMetrics(store, new Date(NOON * 1000));
  expect(await rollups("cccccccccc")).toEqual(expected);
});

test("only complete buckets are rolled up", async () => {
  await store.pool.query("delete from metric_progress");
  await writeSamples(store, ramp("dddddddddd", NOON - 300, 30));
  await keepMetrics(store, new Date((NOON - 10) * 1000));
  expect(await rollups("dddddddddd")).toEqual([]);
  await keepMetrics(store, new Date((NOON + MINUTE) * 1000));
  expect(await rollups("dddddddddd")).toMatchObject([
    { width_seconds: 300, at: NOON - 300, samples: 30 },
    { width_seconds: 3600, at: NOON - HOUR, samples: 30 },
  ]);
});

test("where samples are no longer kept, a series goes on with its roll-ups", async () => {
  const id = await putService(base);
  await store.pool.query("delete from metric_progress");
  const from = NOON - 2 * DAY;
  await writeSamples(store, ramp(id, from, 60));
  await store.pool.query(
    "insert into metric_progress values (300, to_timestamp($1)), (3600, to_timestamp($1))",
    [from - HOUR],
  );
  await keepMetrics(store, new Date((from + HOUR + MINUTE) * 1000));
  await keepMetrics(store, new Date(NOON * 1000));
  const told = await series({ serviceId: id, from: from - HOUR, to: NOON });
  expect(told).toMatchObject([
    { at: from, widthSeconds: 300, value: 14.5 },
    { at: from + 300, widthSeconds: 300, value: 44.5 },
  ]);
  const later = await series({ serviceId: id, from: from - HOUR, to: NOON }, NOON + 40 * DAY);
  expect(later).toMatchObject([{ at: from, widthSeconds: 3600, value: 29.5 }]);
});

test("samples end after a day, and everything of a service that is gone with them", async () => {
  const there = await putService(base);
  const then = NOON + 100 * DAY;
  await writeSamples(store, [...ramp(there, then, 40), ...ramp("ffffffffff", then, 40)]);
  await keepMetrics(store, new Date((then + 2 * HOUR) * 1000));
  await keepMetrics(store, new Date((then + 23 * HOUR) * 1000));
  expect([await countSamples(there), await countSamples("ffffffffff")]).toEqual([40, 40]);
  await keepMetrics(store, new Date((then + 26 * HOUR) * 1000));
  expect([await countSamples(there), await countSamples("ffffffffff")]).toEqual([0, 0]);
  expect(await rollups(there)).toHaveLength(3);
  expect(await rollups("ffffffffff")).toEqual([]);
  const { rows } = await store.pool.query(
    "select service_id from sampled_services where service_id = any($1)",
    [[there, "ffffffffff"]],
  );
  expect(rows).toEqual([{ service_id: there }]);
});

test("a service is told with what its primary used within the last minute", async () => {
  const id = await putService(base);
  const now = Math.floor(Date.now() / 1000);
  const used = { cpu_millis: 249.6, memory_bytes: 100 * 1024 ** 2, storage_bytes: 5 * 1024 ** 2 };
  const told = async () => getService(store.db, projectId, id);
  expect(await told()).toMatchObject({ milli_cpu: null, memory_mb: null, storage_mb: null });
  await writeSamples(store, [sample(id, now - 5, used)]);
  expect(await told()).toMatchObject({ milli_cpu: 250, memory_mb: 100, storage_mb: 5 });
  // A round in which only a replica answers says nothing of the primary.
  await writeSamples(store, [{ ...sample(id, now, { cpu_millis: 1 }), node: 1, role: "replica" }]);
  expect(await listServices(store.db, projectId)).toContainEqual(
    expect.objectContaining({ id, milli_cpu: 250, memory_mb: 100 }),
  );
  expect(await newestSamples(store, projectId)).toMatchObject([
    { serviceId: id, node: 0, role: "primary" },
    { serviceId: id, node: 1, role: "replica" },
  ]);
  await store.pool.query("update sampled_services set primary_at = now() - interval '61 seconds'");
  expect(await told()).toMatchObject({ milli_cpu: null, memory_mb: null, storage_mb: null });
});

test("a metric's place is never another's", () => {
  expect(METRICS.map(({ name }) => metricPlace(name))).toEqual(METRICS.map((_, index) => index));
});
