/**
 * The life of a service beyond the main job: one installation, its HTTP interface, and a look into PostgreSQL and the
 * engine for the effect of each request. One service lives through it in order; each test says what it expects to find.
 */
import { setTimeout as delay } from "node:timers/promises";
import type Docker from "dockerode";
import type { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Service } from "../../src/contract/service.ts";
import { LABEL } from "../../src/platforms/docker/names.ts";
import { runIn } from "../../src/platforms/docker/run-in.ts";
import { memberContainer, runSql, whatCarries } from "../support/docker-engine.ts";
import type { Installation } from "../support/installation.ts";
import { connectTo, type Login, queryOnce } from "../support/tenant.ts";
import { openTrial, type Trial } from "../support/trial.ts";

const PASSWORD = "a new one, ünïcode & long";
/** As PostgreSQL and the pooler refuse a wrong password. */
const REFUSED = /authentication failed/;
/** As a connection ends, or does not come about. */
const CLOSED = /terminated|ECONNRESET|EPIPE|not queryable|closed/i;
const EVERYBODY = ["0.0.0.0/0", "::/0"];
const NOBODY_HERE = ["192.0.2.0/24", "2001:db8::/32"];
const LOG_TIMEOUT_MS = 60_000;
/** On a machine that is not overburdened: there, a command in a container takes far less than a twentieth of it. */
const IN_FORCE_WITHIN_MS = 2_000;
/** A write may take so long, or half of the fork's time where a busy machine takes long for everything. */
const MOVES_ON_WITHIN_MS = 5_000;
const GONE_WITHIN_MS = 120_000;

let trial: Trial;
let installation: Installation;
let orders: Service;
let fork: Service;
let password: string | undefined;

beforeAll(async () => {
  trial = await openTrial();
  ({ installation } = trial);
  orders = (await installation.ask("POST", "", { name: "orders", replica_count: 1 })).service;
  password = orders.initial_password;
  await installation.until(orders.service_id, "READY");
  await query("create table kept (id int primary key); insert into kept select generate_series(1, 1000)");
});

afterAll(async () => {
  await trial?.dispose();
});

test("a rename and a tag are in the record at once, and disturb nobody", async () => {
  const client = await connect();
  const renamed = await installation.ask("POST", below("rename"), { name: "bestellungen" });
  expect([renamed.status, renamed.service.name]).toEqual([200, "bestellungen"]);
  const tagged = await installation.request("POST", below("setEnvironment"), { environment: "PROD" });
  expect([tagged.status, await tagged.json()]).toEqual([200, { message: "The environment is PROD." }]);
  expect((await record()).metadata).toEqual({ environment: "PROD" });
  expect((await client.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  await client.end();
});

test("the pooler answers at a port of its own once it is enabled, and leaves direct connections alone", async () => {
  const direct = await connect();
  const enabled = await installation.request("POST", below("enablePooler"));
  expect(enabled.status).toBe(200);
  await installation.settled(orders.service_id);
  orders = await record();
  expect(orders.connection_pooler?.endpoint?.port).not.toBe(orders.endpoint?.port);
  await query("create role clerk login password 'clerk and nobody else'; grant select on kept to clerk");
  for (const database of ["tsdb", "tsdb_transaction"]) {
    const login = { ...pooled(), database, user: "clerk", password: "clerk and nobody else" };
    expect(
      await queryOnce(installation, orders, login, "select count(*)::int, current_user from kept"),
    ).toEqual([{ count: 1000, current_user: "clerk" }]);
  }
  expect((await direct.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  await direct.end();
});

test("a new password works at once on primary, replica and pooler, the old one no longer, and no log has it", async () => {
  const before = password;
  const answer = await installation.request("POST", below("updatePassword"), { password: PASSWORD });
  await inForce(answer.status, 204);
  password = PASSWORD;
  const replica = await replicaLogin();
  // It gets there with everything else that is written.
  await expect.poll(() => queryOnce(installation, orders, replica, "select 1 as one")).toEqual([{ one: 1 }]);
  const logins: Login[] = [{ password }, pooled(), replica];
  for (const login of logins) {
    expect(await queryOnce(installation, orders, login, "select 1 as one")).toEqual([{ one: 1 }]);
    await expect(connectTo(installation, orders, { ...login, password: before })).rejects.toThrow(REFUSED);
  }
  for (const member of await members()) {
    const printed = (await member.logs({ stdout: true, stderr: true })).toString("utf8");
    const written = await runIn(member, ["sh", "-c", "cat /data/log/*"], LOG_TIMEOUT_MS);
    expect(written.output).toContain("ready to accept");
    const log = printed + written.output;
    expect(log).not.toMatch(/SCRAM-SHA-256\$/);
    expect(log).not.toContain(PASSWORD);
  }
});

test("an allow-list is in force within two seconds, on every endpoint, and the allowed notice nothing", async () => {
  const staying = await connect();
  const tookMs: number[] = [];
  for (const other of ["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24"])
    tookMs.push(await timeOf(() => allow(["127.0.0.1", other])));
  // One of them may come while the machine, or a look at the service, is at something else.
  expect(Math.min(...tookMs)).toBeLessThan(Math.max(IN_FORCE_WITHIN_MS, 20 * (await timeOf(aCommand))));
  expect((await staying.query("select 1 as one")).rows).toEqual([{ one: 1 }]);

  await allow(NOBODY_HERE);
  await expect(connect()).rejects.toThrow(CLOSED);
  await expect(connectTo(installation, orders, pooled())).rejects.toThrow(CLOSED);
  await expect(staying.query("select 1")).rejects.toThrow(CLOSED);

  await allow(EVERYBODY);
  expect(await query("select 1 as one")).toEqual([{ one: 1 }]);
  expect(await queryOnce(installation, orders, pooled(), "select 1 as one")).toEqual([{ one: 1 }]);
});

test("a fork has what the parent had at the request, while the parent goes on writing", async () => {
  await query("create table written (at timestamptz)");
  const writer = await connect();
  const writing = new AbortController();
  const written = write(writer, writing.signal);
  const begun = performance.now();
  const asked = await installation.ask("POST", below("forkService"), { fork_strategy: "NOW", name: "trial" });
  fork = asked.service;
  expect(asked.status).toBe(202);
  expect(fork).toMatchObject({
    name: "trial",
    status: "QUEUED",
    forked_from: { service_id: orders.service_id, is_standby: false },
  });
  await installation.until(fork.service_id, "READY");
  writing.abort();
  const tookMs = performance.now() - begun;
  expect((await written).longestMs).toBeLessThan(Math.max(MOVES_ON_WITHIN_MS, tookMs / 2));
  await writer.end();

  const login = { password: fork.initial_password };
  expect(await queryOnce(installation, fork, login, "select count(*)::int from kept")).toEqual([
    { count: 1000 },
  ]);
  await expect(connectTo(installation, fork, { password })).rejects.toThrow(REFUSED);
  await expect(connectTo(installation, orders, login)).rejects.toThrow(REFUSED);
  const identity = "select system_identifier from pg_control_system()";
  expect(await runSql(await member(fork, 0), identity)).not.toBe(
    await runSql(await member(orders, 0), identity),
  );
});

test("stop frees the members and keeps everything; a resize meanwhile is in force after the start", async () => {
  await installation.until(orders.service_id, "READY");
  const before = await record();
  expect((await installation.ask("POST", below("stop"))).service.status).toBe("PAUSING");
  await installation.until(orders.service_id, "PAUSED");
  for (const container of await members()) {
    const { State } = await container.inspect();
    expect([State.Running, State.ExitCode]).toEqual([false, 0]);
  }
  const again = await installation.request("POST", below("stop"));
  expect(again.status).toBe(400);
  // Whoever comes waits at the gateway, as in every moment without a primary.
  await expect(connectTo(installation, orders, { password, timeoutMs: 1_000 })).rejects.toThrow(/timeout/);
  expect((await installation.ask("POST", below("resize"), { memory_gbs: "4" })).status).toBe(202);
  await installation.until(orders.service_id, "PAUSED");

  expect((await installation.ask("POST", below("start"))).service.status).toBe("RESUMING");
  expect(await installation.until(orders.service_id, "READY")).not.toContain("UNSTABLE");
  expect((await installation.request("POST", below("start"))).status).toBe(400);
  const after = await record();
  expect(after).toEqual({ ...before, resources: [{ ...before.resources[0], spec: expect.anything() }] });
  expect(await query("select count(*)::int from kept")).toEqual([{ count: 1000 }]);
  expect(await query("show shared_buffers")).toEqual([{ shared_buffers: "1GB" }]);
  const standbys = "select state from pg_stat_replication";
  expect(await runSql(await primary(orders), standbys)).toBe("streaming");
  expect(await queryOnce(installation, after, pooled(), "select 1 as one")).toEqual([{ one: 1 }]);
});

test("the pooler goes when it is disabled, and direct connections stay", async () => {
  const direct = await connect();
  const login = pooled();
  expect((await installation.request("POST", below("disablePooler"))).status).toBe(200);
  await installation.settled(orders.service_id);
  expect(await record()).not.toHaveProperty("connection_pooler");
  await expect(connectTo(installation, orders, login)).rejects.toThrow(CLOSED);
  expect((await direct.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  await direct.end();
});

test("a protected service is not deleted; once it is, nothing of it is left, and its fork goes on", async () => {
  await installation.request("PUT", below("deletionProtection"), { deletion_protection: true });
  const refused = await installation.request("DELETE", `/${orders.service_id}`);
  expect([refused.status, await refused.json()]).toMatchObject([409, { code: "DELETION_PROTECTED" }]);
  await installation.request("PUT", below("deletionProtection"), { deletion_protection: false });
  expect((await installation.request("DELETE", `/${orders.service_id}`)).status).toBe(202);
  const deadline = Date.now() + GONE_WITHIN_MS;
  while ((await installation.request("GET", `/${orders.service_id}`)).status !== 404) {
    if (Date.now() > deadline) throw new Error("the service is still there");
    await delay(100);
  }
  expect(await whatCarries(trial.docker, `${LABEL.service}=${orders.service_id}`)).toEqual([]);
  const login = { password: fork.initial_password };
  expect(await queryOnce(installation, fork, login, "insert into kept values (1001) returning id")).toEqual([
    { id: 1001 },
  ]);
});

function below(operation: string): string {
  return `/${orders.service_id}/${operation}`;
}

/** Without what is measured every few seconds. */
async function record(): Promise<Omit<Service, "metrics">> {
  const { metrics: _, ...told } = (await installation.ask("GET", `/${orders.service_id}`)).service;
  return told;
}

function connect(): Promise<Client> {
  return connectTo(installation, orders, { password });
}

function query(sql: string): Promise<Record<string, unknown>[]> {
  return queryOnce(installation, orders, { password }, sql);
}

function pooled(): Login {
  return { password, endpoint: orders.connection_pooler?.endpoint };
}

async function allow(cidrs: readonly string[]): Promise<void> {
  const answer = await installation.request("PUT", below("allowList"), { cidrs });
  await inForce(answer.status, 200);
}

/** Where the API has not waited to the end, as it does on a machine that takes long, the rest is waited for here. */
async function inForce(status: number, told: number): Promise<void> {
  expect(status).toBeOneOf([told, 202]);
  if (status === 202) await installation.settled(orders.service_id);
}

/** A command in a container, which tells how fast this machine is at the moment. */
async function aCommand(): Promise<void> {
  await runIn(await member(orders, 0), ["true"], LOG_TIMEOUT_MS);
}

/** Milliseconds. */
async function timeOf(work: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

function member({ service_id }: Service, ordinal: number): Promise<Docker.Container> {
  return memberContainer(trial.docker, trial.installationId, service_id, ordinal);
}

async function members(): Promise<readonly Docker.Container[]> {
  return Promise.all([0, 1].map((ordinal) => member(orders, ordinal)));
}

async function primary(service: Service): Promise<Docker.Container> {
  for (const candidate of await members()) {
    if ((await runSql(candidate, "select pg_is_in_recovery()")) === "f") return candidate;
  }
  throw new Error(`no member of ${service.service_id} leads`);
}

/** The replica itself, at its address in the service's network. */
async function replicaLogin(): Promise<Login> {
  for (const candidate of await members()) {
    if ((await runSql(candidate, "select pg_is_in_recovery()")) === "f") continue;
    const { NetworkSettings } = await candidate.inspect();
    const [network] = Object.values(NetworkSettings.Networks);
    return { password, endpoint: { host: network?.IPAddress ?? "", port: 5432 } };
  }
  throw new Error("there is no replica");
}

/** One row after the other until told to stop; tells the longest time that one took. */
async function write(client: Client, signal: AbortSignal): Promise<{ readonly longestMs: number }> {
  let longestMs = 0;
  while (!signal.aborted) {
    const sentAt = performance.now();
    await client.query("insert into written values (now())");
    longestMs = Math.max(longestMs, performance.now() - sentAt);
  }
  return { longestMs };
}
