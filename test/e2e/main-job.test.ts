/**
 * The main job as a person does it: one installation, its HTTP interface, and a look into PostgreSQL and the engine for
 * the effect of each request. One service lives through it in order; each test says what it expects to find.
 */
import { setTimeout as delay } from "node:timers/promises";
import type Docker from "dockerode";
import type { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Service } from "../../src/contract/service.ts";
import { LABEL } from "../../src/platforms/docker/names.ts";
import { memberContainer, runSql, whatCarries } from "../support/docker-engine.ts";
import type { Installation } from "../support/installation.ts";
import { connectTo } from "../support/tenant.ts";
import { openTrial, type Trial } from "../support/trial.ts";

const GIB = 1024 ** 3;
const GONE_WITHIN_MS = 120_000;
const BEGUN_WITHIN_MS = 120_000;

let trial: Trial;
let installation: Installation;
let orders: Service;

beforeAll(async () => {
  trial = await openTrial();
  ({ installation } = trial);
});

afterAll(async () => {
  await trial?.dispose();
});

test("a create answers with endpoint and password at once, and the database is as it says", async () => {
  const { status, service } = await installation.ask("POST", "", {
    name: "orders",
    addons: ["time-series", "ai"],
  });
  orders = service;
  expect(status).toBe(202);
  expect(service).toMatchObject({
    status: "QUEUED",
    service_type: "TIMESERIESDB",
    endpoint: { host: "127.0.0.1" },
  });
  await installation.until(service.service_id, "READY");
  const read = await installation.ask("GET", `/${service.service_id}`);
  expect(read.service).not.toHaveProperty("initial_password");

  const [row] = await asTenant(async (client) => {
    await client.query("create table measured (at timestamptz not null, value float8)");
    await client.query("select create_hypertable('measured', 'at')");
    await client.query(
      "insert into measured select now() - i * interval '1 hour', i from generate_series(1, 1000) i",
    );
    await client.query("create table embedded (v vector(3))");
    await client.query(
      "insert into embedded select array[random(), random(), random()] from generate_series(1, 100)",
    );
    await client.query("create index on embedded using hnsw (v vector_l2_ops)");
    return (
      await client.query(
        "select rolsuper, rolreplication, rolcreaterole from pg_roles where rolname = current_user",
      )
    ).rows;
  });
  expect(row).toEqual({ rolsuper: false, rolreplication: false, rolcreaterole: true });
});

test("setHA makes replicas that stream, the asked number of them synchronously", async () => {
  expect((await change("setHA", { replica_count: 2, sync_replica_count: 1 })).status).toBe(202);
  expect(await installation.until(orders.service_id, "READY")).toContain("UPGRADING");
  const standbys = await runSql(
    await primary(),
    "select state, sync_state from pg_stat_replication order by 2",
  );
  expect(standbys.split("\n")).toEqual(["streaming|async", "streaming|sync"]);
});

test("resize changes the containers' limits, PostgreSQL's settings and the record", async () => {
  await change("resize", { cpu_millis: "1000", memory_gbs: "4" });
  await installation.until(orders.service_id, "READY");
  expect(await asTenant(async (client) => (await client.query("show shared_buffers")).rows)).toEqual([
    { shared_buffers: "1GB" },
  ]);
  for (const { Id } of await containers("member")) {
    const { HostConfig } = await trial.docker.getContainer(Id).inspect();
    expect(HostConfig).toMatchObject({ CpuQuota: 100_000, Memory: 4 * GIB });
  }
  const { service } = await installation.ask("GET", `/${orders.service_id}`);
  expect(service.resources[0]?.spec).toMatchObject({ cpu_millis: 1000, memory_gbs: 4 });
});

test("a killed primary is told as UNSTABLE, and writes come back by themselves through the same endpoint", async () => {
  await (await primary()).kill();
  await installation.until(orders.service_id, "UNSTABLE");
  await installation.until(orders.service_id, "READY");
  await asTenant((client) => client.query("insert into measured values (now(), 1)"));
  expect(await countMeasured()).toBe(1001);
});

test("setHA back to no replica leaves an open connection alone", async () => {
  const client = await connect();
  const before = await client.query("select pg_backend_pid() as pid");
  await change("setHA", { replica_count: 0 });
  await installation.until(orders.service_id, "READY");
  expect((await client.query("select pg_backend_pid() as pid")).rows).toEqual(before.rows);
  await client.end();
  expect(await containers("member")).toHaveLength(1);
});

test("a control plane that is killed in a create, a setHA and a resize finishes each after its next start", async () => {
  const { service } = await installation.ask("POST", "", { name: "interrupted" });
  await restartAfterStep(service.service_id, "Creating member 0");
  await installation.until(service.service_id, "READY");

  await installation.ask("POST", `/${service.service_id}/setHA`, { replica_count: 1 });
  await restartAfterStep(service.service_id, "Creating member 1");
  await installation.until(service.service_id, "READY");

  await installation.ask("POST", `/${service.service_id}/resize`, { memory_gbs: "4" });
  await restartAfterStep(service.service_id, "Restarting PostgreSQL");
  await installation.until(service.service_id, "READY");
  expect((await installation.ask("GET", `/${service.service_id}`)).service).toMatchObject({
    ha_replicas: { replica_count: 1 },
    resources: [{ spec: { cpu_millis: 1000, memory_gbs: 4 } }],
  });
  await remove(service.service_id);
});

test("delete removes everything of a service from the engine, and GET answers 404", async () => {
  await remove(orders.service_id);
  expect(await whatCarries(trial.docker, `${LABEL.service}=${orders.service_id}`)).toEqual([]);
});

async function change(operation: string, body: unknown) {
  return installation.ask("POST", `/${orders.service_id}/${operation}`, body);
}

async function remove(serviceId: string): Promise<void> {
  await installation.request("DELETE", `/${serviceId}`);
  const deadline = Date.now() + GONE_WITHIN_MS;
  while ((await installation.request("GET", `/${serviceId}`)).status !== 404) {
    if (Date.now() > deadline) throw new Error("the service is still there");
    await delay(100);
  }
}

/** Kills the control plane once it has told that it begins a step, and starts it again. */
async function restartAfterStep(serviceId: string, step: string): Promise<void> {
  const deadline = Date.now() + BEGUN_WITHIN_MS;
  for (;;) {
    const told = await (await installation.request("GET", `/${serviceId}/events`)).text();
    if (told.includes(step)) break;
    if (Date.now() > deadline) throw new Error(`"${step}" never began`);
    await delay(20);
  }
  await installation.kill();
  await installation.start();
}

async function containers(role: string): Promise<readonly Docker.ContainerInfo[]> {
  return trial.docker.listContainers({
    filters: { label: [`${LABEL.service}=${orders.service_id}`, `${LABEL.role}=${role}`] },
  });
}

async function primary(): Promise<Docker.Container> {
  for (const { Labels } of await containers("member")) {
    const member = await memberContainer(
      trial.docker,
      trial.installationId,
      orders.service_id,
      Number(Labels[LABEL.ordinal]),
    );
    if ((await runSql(member, "select pg_is_in_recovery()")) === "f") return member;
  }
  throw new Error("no member leads");
}

function connect(): Promise<Client> {
  return connectTo(installation, orders, { password: orders.initial_password });
}

async function asTenant<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = await connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function countMeasured(): Promise<number> {
  const rows = await asTenant(
    async (client) => (await client.query("select count(*)::int from measured")).rows,
  );
  return rows[0]?.count;
}
