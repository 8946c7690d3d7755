/**
 * What everything stands on fails: the coordination service, its data, the power. One service with a synchronous replica
 * lives through it, with a client that counts.
 */
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Service } from "../../src/contract/service.ts";
import { LABEL, namesFor } from "../../src/platforms/docker/names.ts";
import { startCounting } from "../support/counting-client.ts";
import type { Installation } from "../support/installation.ts";
import { connectTo, queryOnce } from "../support/tenant.ts";
import { openTrial, type Trial } from "../support/trial.ts";

/** Longer than a lead lasts without etcd, with some of Patroni's rounds. */
const WITHOUT_ETCD_MS = 26_000;
const SOON = { timeout: 60_000, interval: 100 };

const IN_FORCE = "Everything that was asked for is in force.";

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
  await query("create table written (client text, n int, primary key (client, n))");
});

afterAll(async () => {
  await trial?.dispose();
});

test("while etcd hangs, the primary goes on; the service says what cannot be known, and is READY again after it", async () => {
  const counting = startCounting("etcd hangs", connect);
  await counting.untilMore(20);
  await etcd().pause();
  // What is to be seen is that nothing happens for so long.
  await delay(WITHOUT_ETCD_MS);
  await counting.untilMore(20);
  expect((await installation.ask("GET", `/${orders.service_id}`)).service.status).toBe("UNSTABLE");
  await etcd().unpause();
  await installation.until(orders.service_id, "READY");
  await counting.stop();
  expect([...counting.failures, ...counting.refusals]).toEqual([]);
  expect(await missing("etcd hangs", counting.acknowledged)).toEqual([]);
});

test("etcd that has died comes back by itself, unnoticed", async () => {
  const counting = startCounting("etcd dies", connect);
  await counting.untilMore(20);
  await etcd().kill();
  await expect.poll(async () => (await etcd().inspect()).State.Running, SOON).toBe(true);
  await installation.until(orders.service_id, "READY");
  await counting.stop();
  expect([...counting.failures, ...counting.refusals]).toEqual([]);
});

test("where etcd has lost all its data, the members agree anew, unnoticed by clients", async () => {
  const counting = startCounting("etcd forgets", connect);
  await counting.untilMore(20);
  await etcd().remove({ force: true });
  await trial.docker.getVolume(namesFor(trial.installationId).etcdVolume).remove();
  // It is seen at the next look at the service, and then made anew.
  await installation.until(orders.service_id, "UNSTABLE");
  await becomesReady();
  await counting.stop();
  expect([...counting.failures, ...counting.refusals]).toEqual([]);
  expect(await missing("etcd forgets", counting.acknowledged)).toEqual([]);
});

test("after a power cut everything comes back by itself, with every acknowledged write", async () => {
  const counting = startCounting("power cut", connect);
  await counting.untilMore(20);
  await installation.kill();
  const filters = { label: [`${LABEL.installation}=${trial.installationId}`] };
  const running = await trial.docker.listContainers({ filters });
  await Promise.all(running.map(({ Id }) => trial.docker.getContainer(Id).kill()));
  await counting.stop();
  await installation.start();
  await becomesReady();
  expect(await missing("power cut", counting.acknowledged)).toEqual([]);
});

const etcd = () => trial.docker.getContainer(namesFor(trial.installationId).etcd);

/** Whether or not it has left READY yet: what was told last may be older than what has happened. */
async function becomesReady(): Promise<void> {
  const path = `/${orders.service_id}`;
  const state = async () => {
    const { service } = await installation.ask("GET", path);
    const answers = await query("select 1").then(
      () => "it answers",
      (error: unknown) => String(error),
    );
    const story = await (await installation.request("GET", `${path}/events?limit=3`)).text();
    return { status: service.status, answers, isInForce: story.includes(IN_FORCE), story };
  };
  const wanted = { status: "READY", answers: "it answers", isInForce: true };
  await expect.poll(state, SOON).toMatchObject(wanted);
}

/** What was acknowledged to a client and is not there. */
async function missing(client: string, acknowledged: readonly number[]): Promise<readonly number[]> {
  const rows = await query(`select n from written where client = '${client}'`);
  const there = new Set(rows.map(({ n }) => n));
  return acknowledged.filter((n) => !there.has(n));
}

function connect() {
  return connectTo(installation, orders, { password: orders.initial_password });
}

function query(sql: string): Promise<Record<string, unknown>[]> {
  return queryOnce(installation, orders, { password: orders.initial_password }, sql);
}
