/**
 * What everything stands on fails: the coordination service, its data, the power. One service with a synchronous replica
 * lives through it, with a client that counts.
 */
import { setTimeout as delay } from "node:timers/promises";
import { Value } from "typebox/value";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Plan } from "../../src/contract/plan.ts";
import type { Service } from "../../src/contract/service.ts";
import { LABEL, namesFor } from "../../src/platforms/docker/names.ts";
import { startCounting } from "../support/counting-client.ts";
import type { Installation } from "../support/installation.ts";
import { connectTo, queryOnce } from "../support/tenant.ts";
import { openTrial, type Trial } from "../support/trial.ts";

/** Longer than a lead lasts without etcd, with some of Patroni's rounds. */
const WITHOUT_ETCD_MS = 26_000;
const SOON = { timeout: 150_000, interval: 100 };

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
  await installation.until(orders.service_id, "UNSTABLE");
  await etcd().unpause();
  await installation.until(orders.service_id, "READY");
  await counting.stop();
  expect([...counting.failures, ...counting.refusals]).toEqual([]);
  expect(await missing("etcd hangs", counting.acknowledged)).toEqual([]);
});

test("etcd that has died comes back by itself, unnoticed", async () => {
  const counting = startCounting("etcd dies", connect);
  await counting.untilMore(20);
  const before = (await etcd().inspect()).State.StartedAt;
  await etcd().kill();
  const startedAt = async () => {
    const { Running, StartedAt } = (await etcd().inspect()).State;
    return Running ? StartedAt : before;
  };
  await expect.poll(startedAt, SOON).not.toBe(before);
  await installation.until(orders.service_id, "READY");
  await counting.stop();
  expect([...counting.failures, ...counting.refusals]).toEqual([]);
});

test("where etcd has lost all its data, the members agree anew, unnoticed by clients", async () => {
  const counting = startCounting("etcd forgets", connect);
  await counting.untilMore(20);
  await expect.poll(forgetEtcd, SOON).toBe(true);
  await expect.poll(async () => (await etcd().inspect()).State.Running, SOON).toBe(true);
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

/** The control plane may have made it anew from its volume between the two: then once more. */
async function forgetEtcd(): Promise<boolean> {
  await etcd().remove({ force: true });
  await trial.docker.getVolume(namesFor(trial.installationId).etcdVolume).remove();
  return true;
}

const etcd = () => trial.docker.getContainer(namesFor(trial.installationId).etcd);

/** By a look that is made from now on: what was told last may be older than what has happened. */
async function becomesReady(): Promise<void> {
  const path = `/${orders.service_id}`;
  const asked = Date.now();
  const state = async () => {
    const { service } = await installation.ask("GET", path);
    const answers = await query("select 1").then(
      () => "it answers",
      (error: unknown) => String(error),
    );
    const plan = Value.Parse(Plan, await (await installation.request("GET", `${path}/plan`)).json());
    const isNew = Date.parse(plan.as_of ?? "") > asked;
    return { status: service.status, answers, outlook: plan.outlook, isNew };
  };
  const wanted = { status: "READY", answers: "it answers", outlook: "settled", isNew: true };
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
