/**
 * Planned work on a service whose clients go on writing: switchover, resize with a replica and alone. Transactions through
 * the pooler never fail; direct sessions end where the server does, and new ones wait.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Service } from "../../src/contract/service.ts";
import { type CountingClient, startCounting } from "../support/counting-client.ts";
import type { Installation } from "../support/installation.ts";
import { connectTo, queryOnce } from "../support/tenant.ts";
import { openTrial, type Trial } from "../support/trial.ts";

const SIZES = { HOWDAH_SIZES: "500/2,1000/2,1000/4" };

let trial: Trial;
let installation: Installation;
let orders: Service;
let pooled: CountingClient;
let direct: CountingClient;

beforeAll(async () => {
  trial = await openTrial({ environment: SIZES });
  ({ installation } = trial);
  const { service } = await installation.ask("POST", "", {
    name: "orders",
    cpu_millis: "500",
    replica_count: 1,
  });
  await installation.until(service.service_id, "READY");
  await change("setHA", { sync_replica_count: 1 });
  await installation.request("POST", `/${service.service_id}/enablePooler`);
  await installation.settled(service.service_id);
  const { initial_password } = service;
  const current = (await installation.ask("GET", `/${service.service_id}`)).service;
  orders = { ...current, ...(initial_password === undefined ? {} : { initial_password }) };
  await query("create table written (client text, n int, primary key (client, n))");

  async function change(operation: string, body: unknown): Promise<void> {
    await installation.ask("POST", `/${service.service_id}/${operation}`, body);
    await installation.until(service.service_id, "READY");
  }
});

beforeEach(async () => {
  await query("truncate written");
  pooled = startCounting("pooled", () => connect(orders.connection_pooler?.endpoint, "tsdb_transaction"));
  direct = startCounting("direct", () => connect(orders.endpoint, "tsdb"));
  await goesOn();
});

afterEach(async () => {
  await Promise.all([pooled?.stop(), direct?.stop()]);
  for (const client of [pooled, direct]) {
    const name = client === pooled ? "pooled" : "direct";
    const rows = await query(`select n from written where client = '${name}'`);
    const there = new Set(rows.map(({ n }) => n));
    const missing = client.acknowledged.filter((n) => !there.has(n));
    if (missing.length > 0) throw new Error(`acknowledged to ${name}, and missing: ${missing.join(", ")}`);
  }
});

afterAll(async () => {
  await trial?.dispose();
});

test("a switchover lets the replica lead, and no transaction through the pooler fails", async () => {
  const before = await leader();
  await ask("switchover");
  expect(await leader()).not.toBe(before);
  await goesOn();
  expect(pooled.failures).toEqual([]);
  // Its one session ends with the old primary; whoever connects meanwhile waits for the new one.
  expect(direct.failures).toHaveLength(1);
  expect(direct.refusals).toEqual([]);
});

test("CPU alone is noticed by nobody", async () => {
  await ask("resize", { cpu_millis: "1000", memory_gbs: "2" });
  expect([...pooled.failures, ...direct.failures, ...direct.refusals]).toEqual([]);
});

test("more memory with a replica: the replica first, a switchover, the old primary last", async () => {
  const before = await leader();
  await ask("resize", { cpu_millis: "1000", memory_gbs: "4" });
  expect(await leader()).not.toBe(before);
  expect(await query("show shared_buffers")).toEqual([{ shared_buffers: "1GB" }]);
  await goesOn();
  expect(pooled.failures).toEqual([]);
  expect(direct.failures).toHaveLength(1);
  expect(direct.refusals).toEqual([]);
});

test("the last replica goes while the former one leads, and the primary stays where it is", async () => {
  const before = await leader();
  await ask("setHA", { replica_count: 0 });
  expect(await leader()).toBe(before);
  expect([...pooled.failures, ...direct.failures, ...direct.refusals]).toEqual([]);
});

test("less memory alone: a restart in its place, while the pooler's transactions and new connections wait", async () => {
  await ask("resize", { cpu_millis: "500", memory_gbs: "2" });
  expect(await query("show shared_buffers")).toEqual([{ shared_buffers: "512MB" }]);
  await goesOn();
  expect(pooled.failures).toEqual([]);
  expect(direct.failures).toHaveLength(1);
  expect(direct.refusals).toEqual([]);
});

async function ask(operation: string, body?: unknown): Promise<void> {
  expect((await installation.ask("POST", `/${orders.service_id}/${operation}`, body)).status).toBe(202);
  await installation.until(orders.service_id, "READY");
}

/** Both clients write. */
async function goesOn(): Promise<void> {
  await Promise.all([pooled.untilMore(20), direct.untilMore(20)]);
}

/** The address of the server that takes writes. */
async function leader(): Promise<unknown> {
  return (await query("select inet_server_addr() as at"))[0]?.["at"];
}

function connect(endpoint: Service["endpoint"] | undefined, database: string) {
  return connectTo(installation, orders, {
    password: orders.initial_password,
    database,
    ...(endpoint ? { endpoint } : {}),
  });
}

function query(sql: string): Promise<Record<string, unknown>[]> {
  return queryOnce(installation, orders, { password: orders.initial_password }, sql);
}
