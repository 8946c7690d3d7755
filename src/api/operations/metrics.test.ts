/** The operations that tell what was measured. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { BASE, openTestApi } from "../../../test/support/api.ts";
import { METRICS, type MetricName } from "../../contract/metrics.ts";
import { createKey } from "../../store/keys.ts";
import { writeSamples } from "../../store/metric-samples.ts";
import { createProject } from "../../store/projects.ts";
import { exportedNames } from "../project-metrics.ts";

const api = await openTestApi();
const { service_id: id } = await api.create({ name: 'or"ders' });
const ask = (body: unknown) => api.ask("POST", `${api.services}/${id}/metrics/series`, body);

/** A full minute, a moment ago. */
const MINUTE = Math.floor(Date.now() / 60_000) * 60_000 - 120_000;
const at = (seconds: number) => new Date(MINUTE + seconds * 1_000);

async function put(
  node: number,
  role: "primary" | "replica",
  when: Date,
  values: Partial<Record<MetricName, number>>,
) {
  const places = METRICS.map(({ name }) => values[name] ?? null);
  await writeSamples(api.store, [{ serviceId: id, node, role, at: when, values: places }]);
}

test("the names of series are those that can be asked for", async () => {
  const names: string[] = (await api.ask("GET", `${api.services}/${id}/metrics/available-series`)).json();
  expect(names).toEqual(METRICS.map(({ name }) => name));
  for (const name of names)
    expect((await ask({ name, from: at(0).toISOString(), to: at(60).toISOString() })).json()).toEqual([]);
});

test("a series has one point a bucket, nulls where nothing is known, and a node one for each of its roles", async () => {
  await put(0, "primary", at(0), { cpu_millis: 100 });
  await put(0, "primary", at(10), { cpu_millis: 300 });
  await put(1, "replica", at(10), { cpu_millis: 7.5 });
  await put(1, "primary", at(60), { cpu_millis: 8 });
  const body = {
    name: "cpu_millis",
    from: at(0).toISOString(),
    to: at(120).toISOString(),
    bucket_seconds: 60,
  };
  const told = (...values: (number | null)[]) =>
    values.map((value, index) => ({ time: at(60 * index).toISOString(), value }));
  expect((await ask(body)).json()).toEqual([
    { labels: { node: "member-0", role: "primary" }, data: told(200, null) },
    { labels: { node: "member-1", role: "primary" }, data: told(null, 8) },
    { labels: { node: "member-1", role: "replica" }, data: told(7.5, null) },
  ]);
  expect((await ask({ ...body, fn: "max", filters: { node: "0" } })).json()).toEqual([
    { labels: { node: "member-0", role: "primary" }, data: told(300, null) },
  ]);
  expect((await ask({ ...body, filters: { role: "replica" } })).json()).toMatchObject([
    { labels: { node: "member-1", role: "replica" } },
  ]);
});

test("without a width of buckets there are a few hundred points", async () => {
  const [series] = (
    await ask({ name: "cpu_millis", from: at(-23 * 3_600).toISOString(), to: at(60).toISOString() })
  ).json();
  expect(series.data.length).toBeGreaterThan(200);
  expect(series.data.length).toBeLessThanOrEqual(401);
});

const RANGE = { from: "2026-11-21T00:00:00Z", to: "2026-11-22T00:00:00Z" };
test.each([
  [{ ...RANGE, name: "cpu" }, "cpu_millis"],
  [{ ...RANGE, name: "locks", fn: "sum" }, "avg, min, max, last"],
  [{ ...RANGE, name: "locks", bucket_seconds: 59 }, "bucket_seconds"],
  [{ ...RANGE, name: "locks", from: "2026-11-23T00:00:00Z" }, "to must be after from"],
  [
    { ...RANGE, name: "locks", from: "2026-10-01T00:00:00Z", bucket_seconds: 60 },
    "bucket_seconds must be at least",
  ],
  [{ ...RANGE, name: "locks", filters: { database: "tsdb" } }, "node, role"],
  [{ ...RANGE, name: "locks", filters: { role: "leader" } }, "primary, replica"],
  [{ ...RANGE, name: "locks", filters: { node: "first" } }, "node"],
  [{ name: "locks", from: "2026-11-21T00:00:00Z" }, "to is required"],
])("%j is refused, and what would be accepted is named", async (body, named) => {
  const { statusCode, body: text } = await ask(body);
  expect([statusCode, JSON.parse(text).code]).toEqual([400, "INVALID_REQUEST"]);
  expect(JSON.parse(text).message).toContain(named);
});

test("the least width that a refusal names is accepted", async () => {
  const body = { ...RANGE, name: "locks", from: "2026-10-01T00:00:01Z", bucket_seconds: 60 };
  const least = Number(/at least (\d+)/.exec((await ask(body)).json().message)?.[1]);
  expect((await ask({ ...body, bucket_seconds: least })).statusCode).toBe(200);
});

describe("series of many services", () => {
  const askAll = (body: Record<string, unknown>) =>
    api.ask("POST", `${BASE}/projects/${api.projectId}/metrics/series`, {
      name: "cpu_millis",
      from: at(0).toISOString(),
      to: at(60).toISOString(),
      ...body,
    });

  test("are told by their ids, of primaries where nothing else is asked for", async () => {
    const { service_id: other } = await api.create({ name: "other" });
    const values = METRICS.map(({ name }) => (name === "cpu_millis" ? 50 : null));
    const sample = { serviceId: other, node: 2, at: at(20), values };
    await writeSamples(api.store, [
      { ...sample, role: "primary" },
      { ...sample, node: 1, role: "replica" },
    ]);
    const answer = await askAll({ service_ids: [other, id, other, "zzzzzzzzzz", "?"], fn: "max" });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toHaveLength(2);
    const data = (value: number) => [{ time: at(0).toISOString(), value }];
    expect(answer.json()).toEqual(
      expect.arrayContaining([
        { labels: { service_id: other, node: "member-2", role: "primary" }, data: data(50) },
        { labels: { service_id: id, node: "member-0", role: "primary" }, data: data(300) },
      ]),
    );
    const replicas = await askAll({ service_ids: [other], filters: { role: "replica" } });
    expect(replicas.json()).toMatchObject([{ labels: { node: "member-1" } }]);
  });

  test("are told of services of the key's project alone", async () => {
    const stranger = await createProject(api.store.db, "strangers");
    const { apiKey } = await createKey(api.store.db, {
      projectId: stranger.id,
      name: "theirs",
      role: "admin",
      expiresAt: null,
    });
    const url = `${BASE}/projects/${stranger.id}/metrics/series`;
    const body = {
      service_ids: [id],
      name: "cpu_millis",
      from: at(0).toISOString(),
      to: at(60).toISOString(),
    };
    const answer = await api.ask("POST", url, body, apiKey);
    expect([answer.statusCode, answer.json()]).toEqual([200, []]);
  });

  test.each([
    [{ service_ids: [] }, "service_ids"],
    [{}, "service_ids is required"],
    [{ service_ids: Array.from({ length: 101 }, () => "aaaaaaaaaa") }, "service_ids"],
    [{ service_ids: ["aaaaaaaaaa"], name: "cpu" }, "cpu_millis"],
    [
      { service_ids: ["aaaaaaaaaa"], from: at(-10_000).toISOString(), bucket_seconds: 60 },
      "at most 120 points",
    ],
  ])("are refused where asked for by %j", async (body, named) => {
    const answer = await askAll(body);
    expect([answer.statusCode, answer.json().code]).toEqual([400, "INVALID_REQUEST"]);
    expect(answer.json().message).toContain(named);
  });
});

test("Prometheus is told the newest of every node, with help and type, and only to who has a key", async () => {
  await put(0, "primary", new Date(), { cpu_millis: 250, memory_bytes: 1024 });
  const url = `${BASE}/projects/${api.projectId}/metrics`;
  const { statusCode, headers, body } = await api.ask("GET", url);
  expect(statusCode).toBe(200);
  expect(headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
  const labels = `project_id="${api.projectId}",service_id="${id}",service_name="or\\"ders",region="${api.regionCode}"`;
  expect(body).toContain(
    `# TYPE howdah_node_cpu_cores gauge\nhowdah_node_cpu_cores{${labels},node="member-0",role="primary"} 0.25\n`,
  );
  expect(body).toContain(`howdah_node_memory_bytes{${labels},node="member-0",role="primary"} 1024\n`);
  expect(body).toContain(`howdah_service_status{${labels},status="QUEUED"} 1\n`);
  for (const line of body.trimEnd().split("\n"))
    expect(line).toMatch(/^# (HELP|TYPE) \w+ .+$|^\w+\{(\w+="(\\.|[^"\\])*",?)+\} [0-9.e+-]+$/);
  const basic = Buffer.from(`${api.key.publicKey}:${api.key.secretKey}`).toString("base64");
  const scraped = await api.app.inject({ url, headers: { authorization: `Basic ${basic}` } });
  expect(scraped.statusCode).toBe(200);
  expect((await api.ask("GET", url, undefined, null)).statusCode).toBe(401);
});

test("every metric of the dashboard is one that is told", async () => {
  const file = path.join(import.meta.dirname, "../../../docs/grafana/howdah.json");
  const text = await readFile(file, "utf8");
  const used = new Set(text.match(/howdah_(node|service)_\w+/g));
  expect(used.size).toBeGreaterThan(15);
  expect(exportedNames()).toEqual(expect.arrayContaining([...used]));
});
