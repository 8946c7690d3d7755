import { Value } from "typebox/value";
import { expect, test } from "vitest";
import { BASE, openTestApi } from "../../../test/support/api.ts";
import { METRICS, metricPlace } from "../../contract/metrics.ts";
import { OperatorOverview } from "../../contract/operator.ts";
import { appendEvents } from "../../store/events.ts";
import { createKey } from "../../store/keys.ts";
import { writeSamples } from "../../store/metric-samples.ts";
import { createProject } from "../../store/projects.ts";
import { reportRegion, reportRegionProblem } from "../../store/regions.ts";

const GIB = 1024 ** 3;
const settings = [{ name: "HOWDAH_CONCURRENCY", value: "8", meaning: "services worked on at a time" }];
const startedAt = new Date("2026-11-21T09:00:00Z");
const api = await openTestApi({ installation: { version: "1.2.3", startedAt, settings } });
const { store, projectId, regionCode } = api;
const operator = await api.newKey("operator");

async function overview(): Promise<OperatorOverview> {
  const answer = await api.ask("GET", `${BASE}/operator/overview`, undefined, operator.apiKey);
  expect(answer.statusCode).toBe(200);
  return Value.Parse(OperatorOverview, answer.json());
}

/** As a look of the reconciler would leave it. */
async function settled(
  serviceId: string,
  condition: { status: string; reason: string; message: string; since: string },
  more: { waiting?: [string, string]; attempts?: number } = {},
) {
  const [reason = null, since = null] = more.waiting ?? [];
  await store.pool.query(
    `update services set conditions = $2::jsonb, settled_generation = generation, waiting_reason = $3,
            waiting_since = $4, attempts = $5 where id = $1`,
    [serviceId, JSON.stringify([{ type: "Settled", ...condition }]), reason, since, more.attempts ?? 0],
  );
}

const AS_ASKED = {
  status: "True",
  reason: "AsAsked",
  message: "Nothing is left to do.",
  since: "2026-11-21T09:00:00.000Z",
};

test.each(["admin", "member", "read_only"] as const)("a key with the role %s is refused", async (role) => {
  const { apiKey } = await api.newKey(role);
  const answer = await api.ask("GET", `${BASE}/operator/overview`, undefined, apiKey);
  expect(answer.statusCode).toBe(403);
  expect(answer.json()).toEqual({
    code: "FORBIDDEN",
    message: "this needs an API key with the role operator",
  });
});

test("an operator may do whatever an admin may", async () => {
  const services = await api.ask("POST", api.services, { name: "theirs" }, operator.apiKey);
  expect(services.statusCode).toBe(202);
  await settled(services.json().service_id, AS_ASKED);
  const audit = await api.ask("GET", `${BASE}/projects/${projectId}/audit`, undefined, operator.apiKey);
  expect(audit.statusCode).toBe(200);
});

test("the control plane tells its version, since when it runs, its settings and its database", async () => {
  const { control_plane } = await overview();
  expect(control_plane).toEqual({
    version: "1.2.3",
    started_at: startedAt.toISOString(),
    settings,
    state_database: {
      version: expect.stringMatching(/^\d+/),
      size_mb: expect.any(Number),
      latency_ms: expect.any(Number),
    },
  });
});

test("a region tells what it has, what is promised of it and what is in use", async () => {
  const before = (await overview()).regions[0];
  const { service_id } = await api.create({ cpu_millis: "1000", memory_gbs: "4", replica_count: 1 });
  await settled(service_id, AS_ASKED);
  const values = Array.from<number | null>({ length: METRICS.length }).fill(null);
  values[metricPlace("cpu_millis")] = 250;
  values[metricPlace("memory_bytes")] = GIB;
  values[metricPlace("storage_bytes")] = 2 * GIB;
  values[metricPlace("disk_total_bytes")] = 100 * GIB;
  values[metricPlace("disk_available_bytes")] = 60 * GIB;
  const sample = { serviceId: service_id, at: new Date(), values };
  await writeSamples(store, [
    { ...sample, node: 0, role: "primary" },
    { ...sample, node: 1, role: "replica" },
    { ...sample, node: 0, role: "primary", at: new Date(Date.now() - 10_000) },
  ]);
  const region = (await overview()).regions.find(({ code }) => code === regionCode);
  expect(region).toMatchObject({
    code: regionCode,
    cpu_millis: { capacity: 64_000, promisable: 512_000, in_use: 500 },
    memory_mb: { capacity: 256 * 1024, promisable: 512 * 1024, in_use: 2048 },
    storage_mb: { total: 100 * 1024, available: 60 * 1024, in_use: 4096 },
    services: (before?.services ?? 0) + 1,
    members: (before?.members ?? 0) + 2,
    spare_ports: (before?.spare_ports ?? 0) - 2,
    engine: { answers: true },
  });
  expect(region?.cpu_millis.promised).toBe((before?.cpu_millis.promised ?? 0) + 2000);
  expect(region?.cpu_millis.left).toBe(512_000 - (region?.cpu_millis.promised ?? 0));
});

test("an engine that does not answer is told with why and since when, until it answers again", async () => {
  const engine = async () => (await overview()).regions.find(({ code }) => code === "other")?.engine;
  await reportRegion(store.db, "other", { cpuMillis: 1000, memoryBytes: GIB });
  await reportRegionProblem(store.db, "other", "no such socket");
  const first = await engine();
  expect(first).toMatchObject({ answers: false, message: "no such socket", since: expect.any(String) });
  await reportRegionProblem(store.db, "other", "connection refused");
  expect(await engine()).toMatchObject({ message: "connection refused", since: first?.since });
  await reportRegion(store.db, "other", { cpuMillis: 1000, memoryBytes: GIB });
  expect(await engine()).toEqual({ answers: true, reported_at: expect.any(String) });
});

test("every service with something left to do is a job, whichever project it is of", async () => {
  const other = await createProject(store.db, "other");
  const theirs = await createKey(store.db, { projectId: other.id, name: "theirs", role: "admin" });
  const queued = await api.create({ name: "queued" });
  const created = await api.ask(
    "POST",
    `${BASE}/projects/${other.id}/services`,
    { name: "waiting" },
    theirs.apiKey,
  );
  const waiting = created.json().service_id;
  const since = "2026-11-21T09:10:00.000Z";
  const message = "Waiting for replicas to stream: member 1 copies the data.";
  await settled(
    waiting,
    { status: "False", reason: "Waiting", message, since },
    { waiting: ["replication", since] },
  );
  const failing = await api.create({ name: "failing" });
  await settled(
    failing.service_id,
    {
      status: "False",
      reason: "StepFailed",
      message: "Making member 0 failed: no; it is tried again.",
      since: "2026-11-21T09:20:00.000Z",
    },
    { attempts: 4 },
  );
  const dark = await api.create({ name: "dark" });
  await settled(dark.service_id, {
    status: "Unknown",
    reason: "PlatformUnreachable",
    message: "The platform does not answer: gone",
    since: "2026-11-21T09:30:00.000Z",
  });
  await store.pool.query(
    "update services set lease_holder = 'host', lease_expires_at = now(), due_at = 'infinity' where id = $1",
    [dark.service_id],
  );

  const { jobs } = await overview();
  expect(jobs.total).toBe(4);
  expect(jobs.by_state).toEqual({ queued: 1, waiting: 1, failing: 1, unreachable: 1 });
  expect(jobs.first.map(({ name, state }) => [name, state])).toEqual([
    ["waiting", "waiting"],
    ["failing", "failing"],
    ["dark", "unreachable"],
    ["queued", "queued"],
  ]);
  expect(jobs.first[0]).toEqual({
    service_id: waiting,
    name: "waiting",
    project: { id: other.id, name: "other" },
    region_code: regionCode,
    status: "QUEUED",
    state: "waiting",
    message,
    since,
    waiting_for: { reason: "replication", message, since, overdue: false },
    failures: 0,
    next_look: expect.any(String),
  });
  expect(jobs.first[1]).toMatchObject({ failures: 4, message: expect.stringContaining("failed") });
  expect(jobs.first[2]).toMatchObject({
    waiting_for: { reason: "platform", overdue: true },
    lease: { holder: "host", expires_at: expect.any(String) },
  });
  expect(jobs.first[2]).not.toHaveProperty("next_look");
  expect(jobs.first[3]).toMatchObject({ service_id: queued.service_id, message: expect.any(String) });
});

test("what has failed within a day is told, newest first, and nothing else that has happened", async () => {
  const { service_id } = await api.create({ name: "orders" });
  const happen = (type: string, message: string, data = {}, serviceId: string | null = service_id) =>
    appendEvents(store.db, [{ projectId, serviceId, actor: "howdah", type, message, data }]);
  await happen("service.trouble", "old");
  await store.pool.query("update events set at = now() - interval '25 hours' where message = 'old'");
  await happen("service.status", "ready", { to: "READY" });
  await happen("service.role", "first", { reason: "first" });
  await happen("service.trouble", "a step failed");
  await happen("service.status", "unstable", { to: "UNSTABLE" });
  await happen("service.role", "failover", { reason: "failover" });
  await happen("service.withdrawn", "gone by now", {}, "gone000000");
  await happen("webhook.disabled", "disabled", {}, null);
  const { failures } = await overview();
  expect(failures.newest.map(({ message }) => message)).toEqual([
    "disabled",
    "gone by now",
    "failover",
    "unstable",
    "a step failed",
  ]);
  expect(failures.newest[1]?.service).toEqual({ id: "gone000000" });
  expect(failures.newest[4]).toMatchObject({
    project: { id: projectId, name: "tests" },
    service: { id: service_id, name: "orders" },
    type: "service.trouble",
  });
});

test("the search for failures goes by their own index, however many events there are", async () => {
  await store.pool.query(
    `insert into events (project_id, actor, type, message)
    select $1, 'howdah', 'service.step', 'step ' || n from generate_series(1, 5000) as n`,
    [projectId],
  );
  await store.pool.query("analyze events");
  const { rows } = await store.pool.query<{ "QUERY PLAN": string }>(`explain
    select id from events where (type in ('service.trouble', 'service.withdrawn', 'webhook.disabled')
      or (type = 'service.status' and data ->> 'to' = 'UNSTABLE')
      or (type = 'service.role' and data ->> 'reason' = 'failover')) order by id desc limit 100`);
  expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).toContain("events_of_failure");
});

test("webhooks that fail are told by their host alone", async () => {
  const url = "https://hooks.example.com/secret-path";
  const made = await api.ask("POST", `${BASE}/projects/${projectId}/webhooks`, { url });
  const { id } = made.json();
  expect((await overview()).webhooks).toEqual([]);
  await store.pool.query("update webhooks set failures = 3, rests_until = now() where id = $1", [id]);
  await api.ask("POST", `${BASE}/projects/${projectId}/webhooks/${id}/test`);
  await store.pool.query("update webhooks set failures = 3, rests_until = now() where id = $1", [id]);
  const { webhooks } = await overview();
  expect(webhooks).toEqual([
    {
      id,
      project: { id: projectId, name: "tests" },
      host: "hooks.example.com",
      enabled: true,
      failures: 3,
      rests_until: expect.any(String),
      waiting: 1,
    },
  ]);
  expect(JSON.stringify(webhooks)).not.toContain("secret-path");
});
