/** How a service comes to rest and back: the platform's own part of it, on real containers, without API and store. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ObservedService } from "../../src/planner/observed.ts";
import { namesFor } from "../../src/platforms/docker/names.ts";
import { keysOf, leaderKey } from "../../src/platforms/docker/patroni-keys.ts";
import { runIn } from "../../src/platforms/docker/run-in.ts";
import { openDockerPlatform, type TestPlatform } from "../support/docker-platform.ts";
import { type DrivenService, driveService, leaderOf, write } from "../support/driven-service.ts";

const COMMAND_TIMEOUT_MS = 30_000;
const SOON = { timeout: 60_000 };
const ETCDCTL = [
  "etcdctl",
  "--endpoints=https://127.0.0.1:2379",
  "--cacert=/data/etc/ca.crt",
  "--cert=/data/etc/server.crt",
  "--key=/data/etc/server.key",
];

let world: TestPlatform;

beforeAll(async () => {
  world = await openDockerPlatform("stop-start");
});

afterAll(async () => {
  await world?.dispose();
});

test("an only member stops cleanly under writes, and comes back with every write that was acknowledged", async () => {
  const service = await driveService(world, { serviceId: "stopstart1" });
  const before = await service.settle();
  expect(await keysInEtcd(service)).toContain(leaderKey("stopstart1"));
  const last = await stopUnderWrites(service);
  // The gateway sees at its next checks that nobody is behind it.
  await expect
    .poll(() => service.observe(), SOON)
    .toMatchObject({
      gateway: { state: "running", serving: false },
      members: [{ container: "stopped", endedAtMs: expect.any(Number) }],
    });

  expect(await keysInEtcd(service)).not.toContain(leaderKey("stopstart1"));

  const observed = await start(service);
  expect(withoutTimelines(observed)).toEqual(withoutTimelines(before));
  expect(timelines(observed)).toEqual(timelines(before).map((timeline) => timeline + 1));
  expect(await writtenIn(service, 0)).toBeOneOf([last, last + 1]);
});

test("with replicas the primary stops last, leads again, and the replicas follow it", async () => {
  const service = await driveService(world, {
    serviceId: "stopstart2",
    replicaCount: 2,
    syncReplicaCount: 1,
  });
  await service.settle();
  // Not the one that would come first anyway.
  const handOver = async () => {
    const { members } = await service.observe();
    const to = members.find(({ postgres }) => postgres?.replication?.synchronous)?.ordinal ?? -1;
    return service.execute({ kind: "switchover", from: 0, to });
  };
  await expect.poll(handOver, { ...SOON, interval: 500 }).toEqual({ kind: "done" });
  const before = await service.settle();
  const heir = leaderOf(before).ordinal;
  expect(heir).not.toBe(0);

  const last = await stopUnderWrites(service);
  const ends = (await service.observe()).members.toSorted((a, b) => (b.endedAtMs ?? 0) - (a.endedAtMs ?? 0));
  expect(ends[0]?.ordinal).toBe(heir);

  expect(await keysInEtcd(service)).not.toContain(leaderKey("stopstart2"));

  const observed = await start(service);
  expect(leaderOf(observed).ordinal).toBe(heir);
  const next = (timelines(before)[0] ?? 0) + 1;
  await expect.poll(async () => timelines(await service.observe()), SOON).toEqual([next, next, next]);
  expect(observed.members.map(({ limits }) => limits)).toEqual(before.members.map(({ limits }) => limits));
  expect(observed.roles).toEqual(before.roles);
  for (const { ordinal } of observed.members) {
    await expect.poll(() => writtenIn(service, ordinal)).toBeOneOf([last, last + 1]);
  }
});

test("stopping what is stopped and starting what runs change nothing", async () => {
  const service = await driveService(world, { serviceId: "stopstart3" });
  const { members } = await service.settle();
  const limits = members[0]?.limits;
  if (!limits) throw new Error("the member has no limits");
  const running = await service.observe();
  expect(await service.execute({ kind: "startMember", ordinal: 0, limits })).toEqual({ kind: "done" });
  expect(await service.observe()).toEqual(running);

  expect(await service.execute({ kind: "stopMember", ordinal: 0 })).toEqual({ kind: "done" });
  // The gateway sees at its next checks that nobody is behind it.
  await expect.poll(() => service.observe(), SOON).toMatchObject({ gateway: { serving: false } });
  const stopped = await service.observe();
  expect(await service.execute({ kind: "stopMember", ordinal: 0 })).toEqual({ kind: "done" });
  expect(await service.execute({ kind: "stopMember", ordinal: 7 })).toEqual({ kind: "done" });
  expect(await service.observe()).toEqual(stopped);
});

test("a member that is killed in the middle of its stop says so, and loses nothing that was acknowledged", async () => {
  const service = await driveService(world, { serviceId: "stopstart4" });
  await service.settle();
  const writing = await write(service);
  await expect.poll(writing.acknowledged).toBeGreaterThan(20);
  const member = await service.member(0);
  const stopping = service.execute({ kind: "stopMember", ordinal: 0 });
  await member.kill();
  expect((await stopping).kind).toBe("failed");
  await writing.ended;
  service.change({ power: "stopped" });
  await service.settle();
  await start(service);
  expect(await writtenIn(service, 0)).toBeOneOf([writing.acknowledged(), writing.acknowledged() + 1]);
});

test("a replica that is killed while it is being copied is copied again", async () => {
  const service = await driveService(world, { serviceId: "stopstart5" });
  await service.settle();
  await service.sql(
    "create table filler as select i, repeat(md5(i::text), 30) from generate_series(1, 150000) i",
  );
  service.change({ replicaCount: 1 });
  const { observed } = await service.until((look) =>
    Boolean(look.observed?.members.some(({ hasDatabase }) => hasDatabase === false)),
  );
  const copied = observed?.members.find(({ hasDatabase }) => hasDatabase === false)?.ordinal;
  expect(copied).toBe(1);
  await (await service.member(1)).kill();
  const { members } = await service.settle();
  expect(members[1]).toMatchObject({ postgres: { replication: { state: "streaming" } } });
});

/** Returns the last number that was acknowledged. */
async function stopUnderWrites(service: DrivenService): Promise<number> {
  const writing = await write(service);
  await expect.poll(writing.acknowledged).toBeGreaterThan(20);
  service.change({ power: "stopped" });
  const { members } = await service.settle();
  await writing.ended;
  for (const { ordinal } of members) {
    const { State } = await (await service.member(ordinal)).inspect();
    expect([ordinal, State.Running, State.ExitCode]).toEqual([ordinal, false, 0]);
  }
  return writing.acknowledged();
}

async function start(service: DrivenService): Promise<ObservedService> {
  service.change({ power: "running" });
  return service.settle();
}

/** What the members have written. While the lead is among it, whoever starts has to wait until that expires. */
async function keysInEtcd({ identity }: DrivenService): Promise<readonly string[]> {
  const etcd = world.docker.getContainer(namesFor(world.runId).etcd);
  const prefix = keysOf(identity.serviceId);
  const command = [...ETCDCTL, "get", "--prefix", "--keys-only", prefix];
  const { exitCode, output } = await runIn(etcd, command, COMMAND_TIMEOUT_MS);
  if (exitCode !== 0 || !output.includes(prefix))
    throw new Error(`etcd tells nothing of ${prefix}: ${output}`);
  return output.split("\n");
}

async function writtenIn(service: DrivenService, ordinal: number): Promise<number> {
  return Number(await service.sql("select max(number) from written having max(number) = count(*)", ordinal));
}

function timelines({ members }: ObservedService): readonly number[] {
  return members.map(({ postgres }) => postgres?.timeline ?? 0);
}

function withoutTimelines(observed: ObservedService): unknown {
  const members = observed.members.map(({ postgres, ...member }) => ({
    ...member,
    postgres: postgres && { ...postgres, timeline: null },
  }));
  return { ...observed, members };
}
