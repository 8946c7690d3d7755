/** Read replica sets of a whole installation: what their clients see. One service lives through it in order. */
import type { Client } from "pg";
import { Value } from "typebox/value";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ReadReplicaSet, type Service } from "../../src/contract/service.ts";
import { memberContainer, runSql } from "../support/docker-engine.ts";
import type { Installation } from "../support/installation.ts";
import { connectTo, type Login, queryOnce } from "../support/tenant.ts";
import { openTrial, type Trial } from "../support/trial.ts";

const SOON = { timeout: 60_000, interval: 200 };
const WHO = "select host(inet_server_addr()) as node, pg_is_in_recovery() as reads";

let trial: Trial;
let installation: Installation;
let orders: Service;
let reports: ReadReplicaSet;
const open: Client[] = [];

beforeAll(async () => {
  trial = await openTrial();
  ({ installation } = trial);
  orders = (await installation.ask("POST", "", { name: "orders", replica_count: 1 })).service;
  await installation.until(orders.service_id, "READY");
  await write("create table written (n int); insert into written select generate_series(1, 100)");
  const size = { cpu_millis: 500, memory_gbs: 2 };
  reports = await ask("POST", "", { name: "reports", nodes: 2, ...size });
  await installation.until(reports.id, "READY");
});

afterAll(async () => {
  await Promise.all(open.map((client) => client.end()));
  await trial?.dispose();
});

const ask = async (method: string, path: string, body?: unknown): Promise<ReadReplicaSet> => {
  const response = await installation.request(method, `/${orders.service_id}/replicaSets${path}`, body);
  return Value.Parse(ReadReplicaSet, await response.json());
};

const write = (sql: string) => queryOnce(installation, orders, { password: orders.initial_password }, sql);

const login = (more: Partial<Login> = {}): Login => ({
  password: orders.initial_password,
  endpoint: reports.endpoint,
  ...more,
});

const read = (sql: string) => queryOnce(installation, orders, login(), sql);

const query = async (serviceId: string, sql: string, more: Record<string, unknown> = {}) => {
  const body = { sql, password: orders.initial_password, ...more };
  const response = await installation.request("POST", `/${serviceId}/query`, body);
  return JSON.stringify(await response.json());
};

test("SQL by the API runs on the primary, or by the set's id on one of its nodes", async () => {
  expect(await query(orders.service_id, "select pg_is_in_recovery()")).toContain('"rows":[["f"]]');
  expect(await query(reports.id, "select pg_is_in_recovery()")).toContain('"rows":[["t"]]');
  expect(await query(orders.service_id, "select 1", { password: "wrong" })).toContain(
    "DATABASE_LOGIN_REFUSED",
  );
});

test.each([
  "delete from written",
  "commit; delete from written",
  "set default_transaction_read_only = off; commit; begin read write; delete from written; commit",
  "set tsdb_admin.read_only_connection = off; commit; delete from written",
  "reset all; commit; delete from written; commit",
  "discard all; delete from written",
])("SQL by the API that is read-only writes nothing, whatever it says: %s", async (sql) => {
  expect(await query(orders.service_id, sql)).toContain("QUERY_FAILED");
  expect(await query(orders.service_id, "select count(*) from written")).toContain('"rows":[["100"]]');
});

test("SQL by the API writes where it is asked to, and ends at its time", async () => {
  const writes = { read_only: false };
  const sql = "insert into written values (0); delete from written where n = 0";
  expect(await query(orders.service_id, sql, writes)).toContain('"command":"DELETE"');
  const stubborn = "set statement_timeout = 0; select pg_sleep(60)";
  expect(await query(orders.service_id, stubborn, { ...writes, timeout_seconds: 1 })).toContain(
    "QUERY_TIMEOUT",
  );
  const sleeping =
    "select count(*) from pg_stat_activity where query ~ 'pg_sleep' and pid <> pg_backend_pid()";
  await expect.poll(() => query(orders.service_id, sleeping), SOON).toContain('"rows":[["0"]]');
});

test("new connections go to the node with the fewest, by TLS that can be verified, and see what was written", async () => {
  const nodes: unknown[] = [];
  for (let connection = 0; connection < 4; connection += 1) {
    const client = await connectTo(installation, orders, login());
    open.push(client);
    const [row] = (await client.query(WHO)).rows;
    expect(row.reads).toBe(true);
    nodes.push(row.node);
  }
  expect(new Set(nodes).size).toBe(2);
  expect(nodes.filter((node) => node === nodes[0])).toHaveLength(2);
  expect(await read("select count(*)::int as n from written")).toEqual([{ n: 100 }]);
});

test("nothing is written there, whoever asks", async () => {
  await expect(read("insert into written values (0)")).rejects.toThrow("read-only transaction");
  await expect(read("create table more (n int)")).rejects.toThrow("read-only transaction");
});

test("no commit waits for its nodes, and none of them may take the lead", async () => {
  const primary = await memberContainer(trial.docker, trial.installationId, orders.service_id, 0);
  const names = await runSql(
    primary,
    "select application_name || ' ' || sync_state from pg_stat_replication",
  );
  const nodes = names.split("\n").filter((line) => line.startsWith("read-"));
  expect(nodes.sort()).toEqual([0, 1].map((ordinal) => `read-${reports.id}-${ordinal} async`));
});

test("a new password and a narrower allow-list of the service hold for its sets too", async () => {
  const password = "another good password";
  const changed = await installation.request("POST", `/${orders.service_id}/updatePassword`, { password });
  expect(changed.status).toBe(204);
  orders = { ...orders, initial_password: password };
  await expect.poll(() => read("select 1 as one"), SOON).toEqual([{ one: 1 }]);
  const allow = (cidrs: readonly string[]) =>
    installation.request("PUT", `/${orders.service_id}/allowList`, { cidrs });
  const tried = () =>
    read("select 1").then(
      () => "in",
      () => "out",
    );
  await allow(["192.0.2.0/24"]);
  await expect.poll(tried, SOON).toBe("out");
  await allow(["0.0.0.0/0", "::/0"]);
  await expect.poll(tried, SOON).toBe("in");
});

test("its nodes follow when the primary is killed, and go on answering", async () => {
  const reader = await connectTo(installation, orders, login());
  open.push(reader);
  const { node } = (await reader.query(WHO)).rows[0];
  await (await memberContainer(trial.docker, trial.installationId, orders.service_id, 0)).kill();
  await expect.poll(() => write("insert into written values (101)"), SOON).toEqual([]);
  await expect.poll(() => read("select max(n) as n from written"), SOON).toEqual([{ n: 101 }]);
  // Nobody who reads was disconnected for it.
  expect((await reader.query(WHO)).rows[0].node).toBe(node);
  await expect.poll(async () => (await list())[0]?.status, SOON).toBe("active");
});

test("its id is that of a standby, and it goes with its service", async () => {
  const { service } = await installation.ask("GET", `/${reports.id}`);
  expect(service.forked_from).toMatchObject({ service_id: orders.service_id, is_standby: true });
  await installation.request("DELETE", `/${orders.service_id}`);
  for (const id of [reports.id, orders.service_id]) {
    await expect.poll(async () => (await installation.request("GET", `/${id}`)).status, SOON).toBe(404);
  }
});

async function list(): Promise<readonly ReadReplicaSet[]> {
  return (await installation.ask("GET", `/${orders.service_id}`)).service.read_replica_sets ?? [];
}
