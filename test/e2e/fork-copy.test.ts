/** How a fork comes by its data: the platform's own part of it, on real containers, without API and store. */
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LABEL, namesFor } from "../../src/platforms/docker/names.ts";
import { findNetwork } from "../../src/platforms/docker/network.ts";
import { runIn } from "../../src/platforms/docker/run-in.ts";
import type { Look } from "../support/converge.ts";
import { whatCarries } from "../support/docker-engine.ts";
import { openDockerPlatform, type TestPlatform } from "../support/docker-platform.ts";
import { type DrivenService, driveService, leaderOf, write } from "../support/driven-service.ts";

const COMMAND_TIMEOUT_MS = 60_000;
const SOON = { timeout: 60_000 };
const PROGRESS = /^(\d+ of \d+ MB|making the copy consistent|the copy is whole)$/;
const REFUSED = /password authentication failed/;

let world: TestPlatform;
let parent: DrivenService;
let fork: DrivenService;

beforeAll(async () => {
  world = await openDockerPlatform("fork");
  parent = await driveService(world, { serviceId: "forkparent" });
  await parent.settle();
  const client = await parent.connect();
  await client.query("create table measured (at timestamptz not null, value float8)");
  await client.query("select create_hypertable('measured', 'at')");
  await client.query(
    "insert into measured select now() - i * interval '1 hour', i from generate_series(1, 500) i",
  );
  await client.query(
    "create table filler as select i, repeat(md5(i::text), 30) t from generate_series(1, 50000) i",
  );
  await client.end();
});

afterAll(async () => {
  await world?.dispose();
});

test("a fork has all that its parent had at the request, and the parent's writer is not held up", async () => {
  const writing = await write(parent);
  await expect.poll(writing.acknowledged).toBeGreaterThan(20);
  const asked = writing.acknowledged();
  fork = await driveService(world, { serviceId: "forkchild1" }, parent);
  const told = new Set<string>();
  const listen = ({ observed }: Look) => told.add(observed?.copy.detail ?? "");
  await fork.until((look) => {
    listen(look);
    return look.observed?.copy.state === "running";
  });
  const copier = world.docker.getContainer(namesFor(world.runId).copier("forkchild1"));
  await copier.pause();
  const halted = writing.acknowledged();
  await expect.poll(writing.acknowledged, SOON).toBeGreaterThan(halted + 20);
  await copier.unpause();
  const observed = await fork.settle(listen);
  await writing.stop();

  // A copy that is done before anybody looks tells nothing of its megabytes; its last steps always are.
  expect([...told].filter((detail) => detail !== "" && !PROGRESS.test(detail))).toEqual([]);
  expect(told.size).toBeGreaterThan(1);
  const written = Number(await fork.sql("select max(number) from written having max(number) = count(*)"));
  expect(written).toBeGreaterThanOrEqual(asked);
  expect(written).toBeLessThanOrEqual(writing.acknowledged());
  expect(await fork.sql("select count(*) from measured")).toBe("500");
  expect(observed).toMatchObject({ copy: { state: "absent" }, roles: { current: true, passwordVersion: 1 } });
});

test("it is a database of its own, with its own background workers", async () => {
  const identity = "select system_identifier from pg_control_system()";
  expect(await fork.sql(identity)).not.toBe(await parent.sql(identity));
  const workers =
    "select count(*) from pg_stat_activity where backend_type like 'TimescaleDB%' and datname = 'tsdb'";
  await expect.poll(async () => Number(await fork.sql(workers))).toBeGreaterThan(0);
  const client = await fork.connect();
  await client.query("insert into measured values (now(), 501)");
  await client.end();
  expect(await parent.sql("select count(*) from measured")).toBe("500");
});

test("no password of the parent's opens it, and nothing of the parent's secrets is left in it", async () => {
  await expect(fork.connect({ password: parent.password })).rejects.toThrow(REFUSED);
  await expect(parent.connect({ password: fork.password })).rejects.toThrow(REFUSED);
  const { monitorPassword: parents } = parent.identity.secrets;
  const { monitorPassword: own } = fork.identity.secrets;
  await expect(monitor(own)).resolves.toBe(1);
  await expect(monitor(parents)).rejects.toThrow(REFUSED);

  // Verifiers that were replaced may still stand in pages and in the log; nobody can log in with them.
  const { adminVerifier: _, parent: __, ...passwords } = parent.identity.secrets;
  for (const secret of Object.values(passwords)) expect(await filesWith(secret)).toBe("");
  expect(await filesWith(fork.identity.secrets.replicationPassword)).not.toBe("");
  const traces = await whatCarries(world.docker, `${LABEL.role}=copier`);
  expect(traces.filter((trace) => trace.includes(world.runId))).toEqual([]);
});

test("it can have replicas, and one of them can lead", async () => {
  fork.change({ replicaCount: 1 });
  await fork.settle();
  await (await fork.member(0)).kill();
  const observed = await fork.settle();
  const from = leaderOf(observed).ordinal;
  const handOver = () => fork.execute({ kind: "switchover", from, to: 1 - from });
  await expect.poll(handOver, { ...SOON, interval: 500 }).toEqual({ kind: "done" });
  const { members } = await fork.settle();
  expect(new Set(members.map(({ postgres }) => postgres?.role))).toEqual(new Set(["primary", "replica"]));
  expect(await fork.sql("select count(*) from measured", 1)).toBe("501");
});

test("a copy whose copier is killed begins again", async () => {
  const again = await driveService(world, { serviceId: "forkchild2" }, parent);
  await again.until(({ observed }) => observed?.copy.state === "running");
  const copier = world.docker.getContainer(namesFor(world.runId).copier("forkchild2"));
  await copier.kill();
  expect((await again.observe()).copy).toEqual({ state: "failed", detail: "the copier ended with 137" });
  await again.settle();
  expect(await again.sql("select count(*) from filler")).toBe("50000");
  again.change({ presence: "absent" });
  await again.settle();
});

test("a fork whose first member is killed while it makes the copy its own begins that again", async () => {
  const again = await driveService(world, { serviceId: "forkchild3" }, parent);
  await again.until(({ step }) => step?.kind === "createMember");
  await (await again.member(0)).kill();
  await again.until(({ step }) => step?.kind === "startMember");
  const member = await again.member(0);
  const adopted = () => runIn(member, ["test", "-e", "/data/pg/PG_VERSION"], COMMAND_TIMEOUT_MS);
  await expect.poll(adopted, { ...SOON, interval: 20 }).toMatchObject({ exitCode: 0 });
  await member.kill();
  await again.settle();
  expect(await again.sql("select count(*) from filler")).toBe("50000");
  again.change({ presence: "absent" });
  await again.settle();
});

test("a parent is deleted in the middle of a copy without a trace; a fork that is made goes on", async () => {
  const orphan = await driveService(world, { serviceId: "forkchild4" }, parent);
  await orphan.until(({ observed }) => observed?.copy.state === "running");
  // The middle lasts until the parent is gone.
  const copier = world.docker.getContainer(namesFor(world.runId).copier("forkchild4"));
  await copier.pause();
  parent.change({ presence: "absent" });
  await parent.settle();
  expect(await whatCarries(world.docker, `${LABEL.service}=forkparent`)).toEqual([]);
  expect(await findNetwork(world.docker, namesFor(world.runId).network("forkparent"))).toBeNull();
  await copier.unpause();
  const { outcome } = await orphan.until(({ outcome }) => outcome?.kind === "failed");
  expect(outcome).toEqual({ kind: "failed", why: "the parent is not there" });
  orphan.change({ presence: "absent" });
  await orphan.settle();

  const client = await fork.connect();
  await client.query("insert into measured values (now(), 502)");
  await client.end();
});

/** In the fork's volume; a server that runs takes files away beneath the search. */
async function filesWith(secret: string): Promise<string> {
  const options = ["--recursive", "--fixed-strings", "--files-with-matches", "--no-messages"];
  const command = ["grep", ...options, secret, "/data"];
  return (await runIn(await fork.member(0), command, COMMAND_TIMEOUT_MS)).output;
}

/** Logs in as the role that Howdah itself looks with, at the fork's first member. */
async function monitor(password: string): Promise<unknown> {
  const network = await findNetwork(world.docker, namesFor(world.runId).network("forkchild1"));
  const client = new Client({
    host: network?.addressOf("firstMember", 0) ?? "",
    user: "howdah_monitor",
    password,
    database: "postgres",
    ssl: { rejectUnauthorized: false },
  });
  await client.connect();
  try {
    return (await client.query("select 1 as one")).rows[0]?.one;
  } finally {
    await client.end();
  }
}
