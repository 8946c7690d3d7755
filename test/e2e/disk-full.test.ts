/**
 * Disks that run full, on real containers. Each is a file system in memory behind the volume of a member, kept there by a
 * container beside it, from which another program fills it too.
 */
import type Docker from "dockerode";
import { type Client, DatabaseError } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LABEL, namesFor } from "../../src/platforms/docker/names.ts";
import { runIn } from "../../src/platforms/docker/run-in.ts";
import type { Look } from "../support/converge.ts";
import { openDockerPlatform, type TestPlatform } from "../support/docker-platform.ts";
import { type DrivenService, driveService, write } from "../support/driven-service.ts";

const ALONE = "fulldisk00";
const REPLICATED = "fulldisk01";
const DISK_MB = 700;
const DISK_FULL = "53100";
const READ_ONLY_TRANSACTION = "25006";
const COMMAND_TIMEOUT_MS = 60_000;
/** More than the disk has room for, in one statement. */
const TOO_MUCH = "insert into filler select repeat(md5(i::text), 30) from generate_series(1, 3000000) i";
/** With less than this, a disk of that size does not get out of having next to no room. */
const ENOUGH_MB = 320;
const SMALL_PART = "insert into filler select repeat(md5(i::text), 30) from generate_series(1, 2000) i";
/** About 20 MB. */
const PART = "insert into filler select repeat(md5(i::text), 30) from generate_series(1, 20000) i";
const REPLICA_DISK_MB = 310;
/** Patroni alone needs up to ten seconds to do without a synchronous replica. */
const SOON = { timeout: 60_000 };
/** What another program puts onto the same disk. */
const OTHER_FILE = "/data/other";

let world: TestPlatform;
let service: DrivenService;
let disk: Docker.Container;

beforeAll(async () => {
  world = await openDockerPlatform("full");
  disk = await makeDisk(ALONE, 0, DISK_MB);
  service = await driveService(world, { serviceId: ALONE });
  await service.settle();
  await query("create table filler (t text)");
});

afterAll(async () => {
  await world?.dispose();
});

test("writes are refused cleanly on a full disk, reads go on, and freed space brings the service back", async () => {
  const before = await serverStart();
  const refusal = await fill();
  expect(refusal).toMatchObject({
    code: DISK_FULL,
    message: expect.stringContaining("because the disk is almost full"),
    hint: expect.stringContaining("BEGIN READ WRITE"),
  });
  expect(await failure(() => query("create table another (a int)"))).toMatchObject({ code: DISK_FULL });
  expect((await query("select count(*) > 0 as some from filler"))[0]).toEqual({ some: true });

  const reader = await service.connect({ options: "-c tsdb_admin.read_only_connection=on" });
  expect(await failure(() => reader.query("begin read write"))).toMatchObject({
    code: READ_ONLY_TRANSACTION,
  });
  await reader.end();

  const { assessment } = await service.until(isUnstable);
  expect(assessment.statusReason).toBe(
    "The disk of member 0 is full: it takes no writes until space is freed.",
  );

  await query("begin read write; truncate filler; commit");
  await service.settle();
  await query("insert into filler values ('there is room')");
  expect(await serverStart()).toBe(before);
});

test("a single statement that is too large for the disk is ended, and the server goes on", async () => {
  const before = await serverStart();
  for (const statement of [TOO_MUCH, TOO_MUCH.replace("insert into filler", "create table too_large as")]) {
    expect(await failure(() => query(statement))).toMatchObject({ code: DISK_FULL });
    await query("begin read write; truncate filler; commit");
    await service.settle();
  }
  expect(await serverStart()).toBe(before);
});

test("whoever always says READ WRITE fills no disk either, and what deletes rows goes in small parts", async () => {
  const before = await serverStart();
  const client = await service.connect();
  await client.query("set default_transaction_read_only = off");
  expect(
    await failure(async () => {
      for (;;)
        await client.query(
          "insert into filler select repeat(md5(i::text), 30) from generate_series(1, 20000) i",
        );
    }),
  ).toMatchObject({ code: DISK_FULL });
  await client.query("delete from filler where ctid < '(20,0)'");
  await client.query("truncate filler");
  await client.end();
  await service.settle();
  expect(await serverStart()).toBe(before);
});

test("filled to the last byte from outside and killed, it recovers, reads, and has every acknowledged write", async () => {
  const writing = await write(service);
  await expect.poll(writing.acknowledged).toBeGreaterThan(20);
  const filling = query(TOO_MUCH).catch(() => undefined);
  await fillFromOutside();
  await Promise.all([writing.ended, filling]);
  expect(writing.acknowledged()).toBeGreaterThan(20);
  expect(await exists("/data/reserve")).toBe(true);

  await (await service.member(0)).kill();
  // What the server had taken for a while is free again.
  await fillFromOutside();
  expect(await availableMb()).toBe(0);
  await service.until(({ observed }) => observed?.members[0]?.postgres?.storage === "low");
  expect(await exists("/data/reserve")).toBe(false);
  expect(await lastWritten()).toBeGreaterThanOrEqual(writing.acknowledged());
  expect(await failure(() => query("insert into written values (0)"))).toMatchObject({ code: DISK_FULL });

  await runIn(disk, ["rm", OTHER_FILE], COMMAND_TIMEOUT_MS);
  await service.settle();
  await query("truncate filler");
  expect(await lastWritten()).toBeGreaterThanOrEqual(writing.acknowledged());
  expect(await soundness()).toEqual({ exitCode: 0, output: "" });
  await expect.poll(() => exists("/data/reserve")).toBe(true);
});

test("a replica whose own disk is full holds up nobody, not even where it is synchronous", async () => {
  const replicated = await driveService(world, { serviceId: REPLICATED });
  await replicated.settle();
  const small = await makeDisk(REPLICATED, 1, REPLICA_DISK_MB);
  replicated.change({ replicaCount: 1, syncReplicaCount: 1 });
  const { assessment } = await replicated.until(
    ({ plan, observed }) =>
      plan?.kind === "wait" &&
      plan.reason === "storage-full" &&
      observed?.members[1]?.postgres?.replication?.synchronous === true,
  );
  expect(assessment.statusReason).toContain("A disk is full: the one of member 1");
  expect(await replicated.sql("show synchronous_standby_names")).toContain("member-1");

  const client = await replicated.connect();
  await client.query("create table filler (t text)");
  const writing = await write(replicated);
  for (let part = 0; part < 10; part += 1) await client.query(PART);
  await client.end();
  await expect.poll(() => replicated.sql("show synchronous_standby_names"), SOON).toBe("");
  const acknowledged = writing.acknowledged();
  await expect.poll(writing.acknowledged, SOON).toBeGreaterThan(acknowledged + 100);
  await writing.stop();

  await small.remove({ force: true });
  replicated.change({ replicaCount: 0, syncReplicaCount: 0 });
  await replicated.settle();
});

/** The volume of a member as the platform would make it, but small; and what keeps it there, whoever else comes and goes. */
async function makeDisk(serviceId: string, ordinal: number, megabytes: number): Promise<Docker.Container> {
  const { docker, runId, labels, image } = world;
  const name = namesFor(runId).member(serviceId, ordinal);
  await docker.createVolume({
    Name: name,
    Driver: "local",
    DriverOpts: { type: "tmpfs", device: "tmpfs", o: `size=${megabytes}m,uid=999,gid=999,mode=0700` },
    Labels: {
      ...labels,
      [LABEL.installation]: runId,
      [LABEL.service]: serviceId,
      [LABEL.role]: "member",
      [LABEL.ordinal]: String(ordinal),
    },
  });
  const holder = await docker.createContainer({
    name: `${name}-disk`,
    Image: image,
    Cmd: ["sleep", "infinity"],
    Labels: { ...labels },
    HostConfig: { Init: true, Binds: [`${name}:/data`] },
  });
  await holder.start();
  return holder;
}

function isUnstable({ plan, assessment }: Look): boolean {
  return plan?.kind === "wait" && plan.reason === "storage-full" && assessment.status === "UNSTABLE";
}

/** Until nothing more fits, not even once a checkpoint has let WAL go. Returns the last refusal. */
async function fill(): Promise<DatabaseError> {
  const client = await service.connect();
  try {
    for (;;) {
      const refusal = await failure(async () => {
        for (;;) await client.query(SMALL_PART);
      });
      await service.sql("checkpoint");
      if ((await availableMb()) < ENOUGH_MB) return refusal;
    }
  } finally {
    await client.end();
  }
}

/** To the last byte. */
async function fillFromOutside(): Promise<void> {
  await runIn(disk, ["sh", "-c", `dd if=/dev/zero bs=4k >> ${OTHER_FILE}`], COMMAND_TIMEOUT_MS);
}

async function availableMb(): Promise<number> {
  const { output } = await runIn(
    disk,
    ["df", "--block-size=1M", "--output=avail", "/data"],
    COMMAND_TIMEOUT_MS,
  );
  return Number(output.split("\n").at(-1));
}

/** As tsdbadmin, over a connection of its own. */
async function query(sql: string): Promise<Record<string, unknown>[]> {
  const client: Client = await service.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function failure(attempt: () => Promise<unknown>): Promise<DatabaseError> {
  try {
    await attempt();
  } catch (error) {
    if (error instanceof DatabaseError) return error;
    throw error;
  }
  throw new Error("it did not fail");
}

/** When the processes began that a crash of any session would end as well. */
function serverStart(): Promise<string> {
  return service.sql("select backend_start from pg_stat_activity where backend_type = 'checkpointer'");
}

async function lastWritten(): Promise<number> {
  const [row] = await query("select max(number) as last, count(*)::int as count from written");
  expect(row?.["count"]).toBe(row?.["last"]);
  return Number(row?.["last"]);
}

async function exists(path: string): Promise<boolean> {
  return (await runIn(disk, ["test", "-e", path], COMMAND_TIMEOUT_MS)).exitCode === 0;
}

/** Reads every page, with its checksum, of tables and indexes. */
async function soundness() {
  const member = await service.member(0);
  const login = ["--host=/run", "--username=postgres", "--maintenance-db=postgres"];
  return runIn(member, ["pg_amcheck", ...login, "--all", "--install-missing"], COMMAND_TIMEOUT_MS);
}
