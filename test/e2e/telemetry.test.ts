/** What is told of a service that runs, loses its primary, and is stopped: its logs, and what it uses. */

import { Type } from "typebox";
import { Value } from "typebox/value";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, createClient, type EventRecord } from "../../src/client/index.ts";
import { MetricSeries } from "../../src/contract/metrics.ts";
import type { Service } from "../../src/contract/service.ts";
import { ServiceLogs } from "../../src/contract/service-logs.ts";
import { runIn } from "../../src/platforms/docker/run-in.ts";
import { readCredentialsFile } from "../../src/setup/credentials-file.ts";
import { memberContainer, runSql } from "../support/docker-engine.ts";
import type { Installation } from "../support/installation.ts";
import { openTrial, type Trial } from "../support/trial.ts";

/** A sample is there within ten seconds after what it tells of; the first rate after two of them. */
const SAMPLED_WITHIN_MS = 120_000;
const WRITTEN_WITHIN_MS = 60_000;
const MINUTE_MS = 60_000;
/** Of 2,000 queries at once something is left of that also where samples are half a minute apart, and they are in two of them. */
const MANY_A_SECOND = 20;

let trial: Trial;
let orders: Service;

beforeAll(async () => {
  trial = await openTrial();
  orders = (await trial.installation.ask("POST", "", { name: "orders", replica_count: 1 })).service;
  await trial.installation.until(orders.service_id, "READY");
});

afterAll(async () => {
  await trial?.dispose();
});

async function logs(query: Record<string, string>): Promise<ServiceLogs> {
  const path = `/${orders.service_id}/logs?${new URLSearchParams(query).toString()}`;
  return Value.Parse(ServiceLogs, await (await trial.installation.request("GET", path)).json());
}

/** Those of the last minutes. */
async function series(name: string, fn = "max"): Promise<readonly MetricSeries[]> {
  const now = Date.now();
  const response = await trial.installation.request("POST", `/${orders.service_id}/metrics/series`, {
    name,
    fn,
    from: new Date(now - 5 * MINUTE_MS).toISOString(),
    to: new Date(now + MINUTE_MS).toISOString(),
  });
  return Value.Parse(Type.Array(MetricSeries), await response.json());
}

async function sql(ordinal: number, text: string): Promise<string> {
  const member = await memberContainer(trial.docker, trial.installationId, orders.service_id, ordinal);
  return runSql(member, text);
}

async function clientOf({ home }: Installation): Promise<Client> {
  const credentials = await readCredentialsFile(home);
  const { api_url: baseUrl = "", api_key: apiKey = "", project_id: projectId = "" } = credentials ?? {};
  return createClient({ baseUrl, apiKey, projectId });
}

/** The first of that type after another event, by the project's stream; null where none comes in time. */
async function nextEvent(client: Client, type: string, lastEventId: string): Promise<EventRecord | null> {
  const signal = AbortSignal.timeout(SAMPLED_WITHIN_MS);
  for await (const event of client.streamEvents({ types: [type] }, { signal, lastEventId })) return event;
  return null;
}

function most({ data }: MetricSeries): number {
  return Math.max(0, ...data.map(({ value }) => value ?? 0));
}

test("a burst of queries is seen in the series of the primary, and not in the replica's", async () => {
  await expect.poll(async () => (await series("cpu_millis")).length, { timeout: SAMPLED_WITHIN_MS }).toBe(2);
  // As clients do: sessions of the superuser are Howdah's own, and are not counted.
  const burst = "select 1;".repeat(2_000);
  await sql(0, "create role burst");
  await sql(0, `set session authorization burst; ${burst}`);
  const seen = async () =>
    Object.fromEntries((await series("queries_per_second")).map((one) => [one.labels["role"], most(one)]));
  await expect
    .poll(async () => (await seen())["primary"], { timeout: SAMPLED_WITHIN_MS })
    .toBeGreaterThan(MANY_A_SECOND);
  expect((await seen())["replica"]).toBeLessThan(MANY_A_SECOND);
  const metrics = async () =>
    (await trial.installation.ask("GET", `/${orders.service_id}`)).service.metrics ?? {};
  await expect.poll(metrics, { timeout: SAMPLED_WITHIN_MS }).toEqual({
    memory_mb: expect.any(Number),
    milli_cpu: expect.any(Number),
    storage_mb: expect.any(Number),
  });
  const { memory_mb, storage_mb } = await metrics();
  expect(memory_mb).toBeGreaterThan(10);
  expect(storage_mb).toBeGreaterThan(10);
});

test("an entry of many lines comes whole, with its statement, by its severity, node and words", async () => {
  await sql(0, "select\n  'first line' as first,\n  1 / 0 as second").catch(() => undefined);
  const found = () => logs({ severities: "ERROR", node: "member-0", search: "FIRST LINE" });
  await expect.poll(async () => (await found()).entries.length, { timeout: WRITTEN_WITHIN_MS }).toBe(1);
  expect((await found()).entries[0]).toMatchObject({
    severity: "ERROR",
    node: "member-0",
    message: "division by zero\nSTATEMENT:  select\n  'first line' as first,\n  1 / 0 as second",
  });
  expect((await logs({ search: "first line", node: "1" })).entries).toEqual([]);
  expect((await logs({ search: "first line", until: "2020-01-01T00:00:00Z" })).entries).toEqual([]);
});

test("the oldest files of a log go first, by size and by age, and what is being written stays", async () => {
  const member = await memberContainer(trial.docker, trial.installationId, orders.service_id, 0);
  const { exitCode, output } = await runIn(member, ["python3", "-c", TRIM], WRITTEN_WITHIN_MS);
  expect([exitCode, JSON.parse(output)]).toEqual([
    0,
    {
      bySize: ["02.json", "02.log", "03.json", "03.log", "04.json", "04.log"],
      byAge: ["03.json", "04.json", "04.log"],
    },
  ]);
});

/** Five files of 1,000 bytes, each with a small one beside it; in the end all but one of them are too old. */
const TRIM = `
import json, os, sys
sys.path.insert(0, "/usr/local/lib/howdah")
import logs
logs.FOLDER = "/tmp/trimmed"
os.mkdir(logs.FOLDER)
for place in range(5):
    for suffix, size in ((".json", 1000), (".log", 10)):
        path = f"{logs.FOLDER}/postgresql-20261121-0900{place:02}{suffix}"
        with open(path, "w") as file:
            file.write("x" * size)
        os.utime(path, (1000 + place, 1000 + place))
logs.trim(2025, 3600, 1100)
by_size = sorted(name[24:] for name in os.listdir(logs.FOLDER))
os.utime(f"{logs.FOLDER}/postgresql-20261121-090003.json", (2000, 2000))
logs.trim(2025, 3600, 5000)
by_age = sorted(name[24:] for name in os.listdir(logs.FOLDER))
print(json.dumps({"bySize": by_size, "byAge": by_age}))
`;

test("pages lead through the logs of all nodes, each entry once, while more is written", async () => {
  const write = (words: string) =>
    `do $$ begin for i in 1..400 loop raise log '${words} %', i; end loop; end $$`;
  await Promise.all([sql(0, write("paged")), sql(1, write("paged"))]);
  await expect
    .poll(async () => (await logs({ search: "paged 400", severities: "LOG" })).entries.length, {
      timeout: WRITTEN_WITHIN_MS,
    })
    .toBe(2);
  const first = await logs({ search: "paged", severities: "LOG" });
  await sql(0, write("paged later"));
  const second = await logs({ search: "paged", severities: "LOG", cursor: first.last_cursor ?? "" });
  const entries = [...first.entries, ...second.entries];
  expect([first.entries.length, second.entries.length]).toEqual([500, 300]);
  expect(second.last_cursor).toBeUndefined();
  expect(new Set(entries.map(({ node, message }) => `${node} ${message}`)).size).toBe(800);
  expect(entries.some(({ message }) => message.includes("later"))).toBe(false);
});

test("a primary that was killed is followed in events as it happens, in its last words, and in the series", async () => {
  await sql(0, "select 1 / 0 as last_words").catch(() => undefined);
  const lastWords = async () => (await logs({ search: "last_words", node: "0" })).entries;
  const told = [{ node: "member-0", severity: "ERROR" }];
  // What is still on its way to the file is lost with the container.
  await expect.poll(lastWords, { timeout: WRITTEN_WITHIN_MS }).toMatchObject(told);
  const client = await clientOf(trial.installation);
  const [newest] = await client.listEvents({ limit: 1 });
  await (await memberContainer(trial.docker, trial.installationId, orders.service_id, 0)).kill();
  const leads = async () =>
    (await series("memory_bytes"))
      .filter(({ labels }) => labels["role"] === "primary")
      .map(({ labels }) => labels["node"]);
  const newLead = await nextEvent(client, "service.role", newest?.id ?? "0");
  expect(newLead).toMatchObject({ service_id: orders.service_id, data: { from: 0, to: 1 } });
  await expect.poll(leads, { timeout: SAMPLED_WITHIN_MS }).toEqual(["member-0", "member-1"]);
  await expect.poll(lastWords, { timeout: WRITTEN_WITHIN_MS }).toMatchObject(told);
});

test("the log of a service that is stopped is read from its volumes", async () => {
  await trial.installation.until(orders.service_id, "READY");
  await trial.installation.ask("POST", `/${orders.service_id}/stop`);
  await trial.installation.until(orders.service_id, "PAUSED");
  const { entries } = await logs({ search: "last_words" });
  expect(entries).toMatchObject([{ node: "member-0", severity: "ERROR" }]);
  const ended = await logs({ search: "database system is shut down" });
  expect(new Set(ended.entries.map(({ node }) => node))).toEqual(new Set(["member-0", "member-1"]));
  const readers = await trial.docker.listContainers({
    all: true,
    filters: { label: ["org.howdah.role=log-reader", `howdah.test=${trial.installation.label}`] },
  });
  expect(readers).toEqual([]);
});
