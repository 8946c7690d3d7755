/**
 * Primaries that end, hang or are cut off, with a client that counts what was acknowledged. One service with a synchronous
 * replica lives through it.
 */
import { setTimeout as delay } from "node:timers/promises";
import type Docker from "dockerode";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Service } from "../../src/contract/service.ts";
import { runIn } from "../../src/platforms/docker/run-in.ts";
import { memberContainer, runSql } from "../support/docker-engine.ts";
import type { Installation } from "../support/installation.ts";
import { connectTo, queryOnce } from "../support/tenant.ts";
import { openTrial, type Trial } from "../support/trial.ts";

const WRITES_AGAIN_WITHIN_MS = 120_000;
const PATIENCE_MS = 1_000;
const EXEC_TIMEOUT_MS = 30_000;
const SOON = { timeout: 90_000 };

let trial: Trial;
let installation: Installation;
let orders: Service;

beforeAll(async () => {
  trial = await openTrial();
  ({ installation } = trial);
  orders = (await installation.ask("POST", "", { name: "orders", replica_count: 1 })).service;
  await installation.until(orders.service_id, "READY");
  await installation.ask("POST", `/${orders.service_id}/setHA`, { sync_replica_count: 1 });
  await installation.until(orders.service_id, "READY");
  await query("create table written (n int primary key)");
});

afterAll(async () => {
  await trial?.dispose();
});

const FAULTS = {
  "is killed": (container: Docker.Container) => container.kill(),
  crashes: (container: Docker.Container) => signalAll(container, "KILL"),
  hangs: (container: Docker.Container) => signalAll(container, "STOP"),
  "is frozen": (container: Docker.Container) => container.pause(),
  "is cut off from its network": async (container: Docker.Container) => {
    const [network = ""] = Object.keys((await container.inspect()).NetworkSettings.Networks);
    await trial.docker.getNetwork(network).disconnect({ Container: container.id, Force: true });
  },
};

/** Sent to all that runs in a container but its init, which outlives its children by a moment. */
async function signalAll(container: Docker.Container, signal: "KILL" | "STOP"): Promise<void> {
  await runIn(container, ["sh", "-c", `kill -${signal} -1`], EXEC_TIMEOUT_MS);
}

test.each(Object.entries(FAULTS))(
  "where a primary %s, its replica takes over by itself, no acknowledged write is missing, and the member comes back",
  async (_, strike) => {
    const acknowledged = await writeSome(20);
    const fallen = await primary();
    await expect.poll(() => mayTakeOver(fallen), SOON).toBe(true);
    const before = await fallen.inspect();
    await strike(fallen);
    const first = await writeAgain();
    expect((await primary()).id).not.toBe(fallen.id);
    // It never went on from where it was: what it had of the past is gone with its processes.
    await expect.poll(() => startOf(fallen), SOON).not.toBe(before.State.StartedAt);
    await installation.until(orders.service_id, "READY");
    expect((await fallen.inspect()).State.Paused).toBe(false);
    const rows = await query("select n from written order by n");
    expect(rows.map(({ n }) => n)).toEqual(expect.arrayContaining([...acknowledged, first]));
  },
);

test("a primary that was frozen while nobody watched does not go on from there", async () => {
  const acknowledged = await writeSome(20);
  const fallen = await primary();
  await expect.poll(() => mayTakeOver(fallen), SOON).toBe(true);
  const before = await fallen.inspect();
  await installation.kill();
  await fallen.pause();
  await installation.start();
  const first = await writeAgain();
  expect((await primary()).id).not.toBe(fallen.id);
  await expect.poll(() => startOf(fallen), SOON).not.toBe(before.State.StartedAt);
  await installation.until(orders.service_id, "READY");
  const rows = await query("select n from written order by n");
  expect(rows.map(({ n }) => n)).toEqual(expect.arrayContaining([...acknowledged, first]));
});

test("a member whose rewind was cut off begins anew, with a copy of the primary", async () => {
  const acknowledged = await writeSome(5);
  const leader = await primary();
  const replica = await replicaOf(leader);
  const filesIn = async () => (await runIn(replica, ["ls", "/data", "/data/pg"], EXEC_TIMEOUT_MS)).output;
  await runIn(replica, ["touch", "/data/rewinding", "/data/pg/left-over"], EXEC_TIMEOUT_MS);
  expect(await filesIn()).toContain("left-over");
  await replica.kill();
  await expect.poll(() => filesIn().catch(() => "left-over"), SOON).not.toMatch(/left-over|rewinding/);
  await expect
    .poll(() => runSql(replica, "select max(n) from written").catch(() => ""), SOON)
    .toBe(String(Math.max(...acknowledged)));
  await installation.until(orders.service_id, "READY");
  expect((await primary()).id).toBe(leader.id);
});

let next = 1;

/** One after the other over a connection; returns those that were acknowledged. */
async function writeSome(count: number): Promise<readonly number[]> {
  const client = await connectTo(installation, orders, { password: orders.initial_password });
  const written: number[] = [];
  for (let left = count; left > 0; left -= 1) {
    await client.query("insert into written values ($1)", [next]);
    written.push(next);
    next += 1;
  }
  await client.end();
  return written;
}

/** Tries with a new connection, again and again, beside what does not answer. */
async function writeAgain(): Promise<number> {
  const deadline = Date.now() + WRITES_AGAIN_WITHIN_MS;
  while (Date.now() < deadline) {
    const n = next;
    next += 1;
    const writing = query(`insert into written values (${n}) returning n`).then(
      () => true,
      () => false,
    );
    if (await Promise.race([writing, delay(PATIENCE_MS, false)])) return n;
  }
  throw new Error("nobody takes writes");
}

function query(sql: string): Promise<Record<string, unknown>[]> {
  return queryOnce(installation, orders, { password: orders.initial_password }, sql);
}

/** Whether Patroni counts on a synchronous replica: it does so a moment after PostgreSQL has made it one. */
async function mayTakeOver(leader: Docker.Container): Promise<boolean> {
  const [network] = Object.values((await leader.inspect()).NetworkSettings.Networks);
  const response = await fetch(`http://${network?.IPAddress}:8008/cluster`, {
    signal: AbortSignal.timeout(5_000),
  });
  return (await response.text()).includes('"sync_standby"');
}

async function startOf(container: Docker.Container): Promise<string> {
  return (await container.inspect()).State.StartedAt;
}

async function replicaOf(leader: Docker.Container): Promise<Docker.Container> {
  const members = await Promise.all(
    [0, 1].map((ordinal) => memberContainer(trial.docker, trial.installationId, orders.service_id, ordinal)),
  );
  const replica = members.find(({ id }) => id !== leader.id);
  if (!replica) throw new Error("there is no replica");
  return replica;
}

/** To which the endpoint leads: one that was cut off may take itself for a primary a while longer. */
async function primary(): Promise<Docker.Container> {
  const [row] = await query("select host(inet_server_addr()) as address");
  for (const ordinal of [0, 1]) {
    const member = await memberContainer(trial.docker, trial.installationId, orders.service_id, ordinal);
    const networks = Object.values((await member.inspect()).NetworkSettings.Networks);
    if (networks.some(({ IPAddress }) => IPAddress === row?.["address"])) return member;
  }
  throw new Error("the endpoint leads to no member");
}
