import { describe, expect, test } from "vitest";
import { LARGE, SMALL } from "../../../test/support/services.ts";
import { World } from "../../../test/support/world.ts";
import { memberLimits } from "../../planner/limits.ts";
import { settingsForSize } from "../../planner/settings.ts";
import type { Step } from "../../planner/step.ts";
import { realTime } from "./simulated-clock.ts";
import { createSimulatedPlatform } from "./simulated-platform.ts";
import { Simulation } from "./simulation.ts";

const REPLICATED = { replicaCount: 2, syncReplicaCount: 1 };

async function settledWorld(desired: ConstructorParameters<typeof World>[0] = {}): Promise<World> {
  const world = new World(desired);
  await world.settled();
  return world;
}

async function memberAt(world: World, ordinal: number) {
  return (await world.observe()).members.find((member) => member.ordinal === ordinal);
}

function execute(world: World, step: Step) {
  return world.platform.execute(step, world.identity);
}

test("a first member takes writes after a second and a half, and not before", async () => {
  const world = new World();
  await world.until(({ step }) => step?.kind === "createMember");
  world.clock.advance(1_499);
  expect((await memberAt(world, 0))?.postgres).toBeNull();
  world.clock.advance(1);
  expect((await memberAt(world, 0))?.postgres).toMatchObject({ role: "primary", writable: true });
});

test("a copy streams after two and a half seconds, and counts as synchronous at the next look of the leader", async () => {
  const world = await settledWorld();
  world.want({ replicaCount: 1, syncReplicaCount: 1 });
  await world.until(({ step }) => step?.kind === "createMember");
  world.clock.advance(2_499);
  expect((await memberAt(world, 1))?.postgres).toBeNull();
  world.clock.advance(1);
  const replication = { state: "streaming", synchronous: false };
  expect((await memberAt(world, 1))?.postgres?.replication).toMatchObject(replication);
  world.clock.advance(1_000);
  expect((await memberAt(world, 1))?.postgres?.replication?.synchronous).toBe(true);
});

test("settings are taken up within a second, those that need a restart only by one", async () => {
  const world = await settledWorld();
  const large = settingsForSize(LARGE);
  await execute(world, { kind: "configure", configuration: { settings: large, syncReplicaCount: 0 } });
  expect((await memberAt(world, 0))?.postgres?.settings).toEqual(settingsForSize(SMALL));
  world.clock.advance(1_000);
  const { shared_buffers } = settingsForSize(SMALL);
  expect((await memberAt(world, 0))?.postgres?.settings).toEqual({ ...large, shared_buffers });

  const restart = { kind: "restartPostgres", ordinal: 0 } as const;
  expect((await execute(world, restart)).kind).toBe("wait");
  world.clock.advance(499);
  expect((await memberAt(world, 0))?.postgres).toBeNull();
  world.clock.advance(1);
  expect((await memberAt(world, 0))?.postgres?.settings).toEqual(large);
});

test("limits are in force at once", async () => {
  const world = await settledWorld();
  const limits = memberLimits(LARGE);
  expect(await execute(world, { kind: "setLimits", ordinal: 0, limits })).toEqual({ kind: "done" });
  expect((await memberAt(world, 0))?.limits).toEqual(limits);
});

describe("the lead", () => {
  test("stays with a killed member that is started before its lease lapses", async () => {
    const world = await settledWorld(REPLICATED);
    world.faults.killMember(world.serviceId, 0);
    world.clock.advance(19_000);
    await execute(world, { kind: "startMember", ordinal: 0, limits: memberLimits(SMALL) });
    world.clock.advance(5_000);
    expect(world.leader).toBe(0);
  });

  test("goes to the synchronous replica when the lease lapses, with all that was acknowledged", async () => {
    const world = await settledWorld(REPLICATED);
    const [synchronous] = world.state.synchronous.replicas;
    expect(world.faults.write(world.serviceId)).toBe(true);
    world.faults.killMember(world.serviceId, 0);
    world.clock.advance(19_999);
    expect(world.leader).toBe(0);
    world.clock.advance(1);
    expect(world.leader).toBe(synchronous);
    expect(world.state.writes).toMatchObject({ acknowledged: 1, lost: 0 });
  });

  test("goes to an asynchronous replica with what had arrived there", async () => {
    const world = await settledWorld({ replicaCount: 1 });
    world.faults.write(world.serviceId);
    world.clock.advance(1_000);
    world.faults.write(world.serviceId);
    world.faults.killMember(world.serviceId, 0);
    world.clock.advance(20_000);
    expect(world.leader).toBe(1);
    expect(world.state.writes).toMatchObject({ acknowledged: 1, lost: 1, lostConfirmed: 0 });
  });

  test("goes to nobody while only those are left that may have missed a write", async () => {
    const world = await settledWorld(REPLICATED);
    const [synchronous = -1] = world.state.synchronous.replicas;
    world.faults.killMember(world.serviceId, 0);
    world.faults.killMember(world.serviceId, synchronous);
    world.clock.advance(60_000);
    expect(world.state.leader).toBeNull();
  });

  test("moves by a switchover in 1.3 seconds, and the old leader comes back as a replica", async () => {
    const world = await settledWorld({ replicaCount: 1 });
    const step = { kind: "switchover", from: 0, to: 1 } as const;
    expect((await execute(world, step)).kind).toBe("wait");
    world.clock.advance(1_299);
    expect((await memberAt(world, 1))?.postgres?.writable).toBe(false);
    world.clock.advance(1);
    expect(await execute(world, step)).toEqual({ kind: "done" });
    expect((await memberAt(world, 0))?.postgres?.replication?.state).toBe("streaming");
  });
});

test("no write is acknowledged while a synchronous replica is gone, until it is replaced", async () => {
  const world = await settledWorld(REPLICATED);
  const [synchronous = -1] = world.state.synchronous.replicas;
  world.faults.freezeMember(world.serviceId, synchronous);
  expect(world.faults.write(world.serviceId)).toBe(false);
  world.clock.advance(1_000);
  expect(world.faults.write(world.serviceId)).toBe(true);
});

test("a cluster that was initialised does not begin a new database on an empty volume", async () => {
  const world = await settledWorld();
  world.faults.loseVolume(world.serviceId, 0);
  const limits = memberLimits(SMALL);
  const configuration = { settings: settingsForSize(SMALL), syncReplicaCount: 0 };
  await execute(world, { kind: "createMember", ordinal: 0, limits, configuration, data: "copy" });
  world.clock.advance(60_000);
  expect(await memberAt(world, 0)).toMatchObject({ container: "running", postgres: null });
});

test("a watch tells of what happens by itself, and of nothing after it is aborted", async () => {
  const world = await settledWorld({ replicaCount: 1 });
  const told: string[] = [];
  const watching = new AbortController();
  world.platform.watch((serviceId) => told.push(serviceId), watching.signal);
  world.clock.advance(1_000);
  expect(told).toEqual([]);
  world.faults.freezeMember(world.serviceId, 0);
  expect(told).toEqual([world.serviceId]);
  world.clock.advance(20_000);
  expect(told).toEqual([world.serviceId, world.serviceId]);
  watching.abort();
  world.faults.thawMember(world.serviceId, 0);
  world.clock.advance(20_000);
  expect(told).toHaveLength(2);
});

test("nothing is answered while the engine is out of reach, and what runs goes on", async () => {
  const world = await settledWorld();
  world.faults.engineUnreachable(1_000);
  await expect(world.observe()).rejects.toThrow("the engine does not answer");
  await expect(execute(world, { kind: "removeService" })).rejects.toThrow("the engine does not answer");
  expect(world.faults.write(world.serviceId)).toBe(true);
  world.clock.advance(1_000);
  expect((await world.observe()).gateway.serving).toBe(true);
});

test("capacity and ports are what they were set to", async () => {
  const platform = createSimulatedPlatform({
    simulation: new Simulation(realTime),
    capacity: { cpuMillis: 2_000, memoryBytes: 4_096 },
    ports: [30_000, 30_003],
  });
  expect(await platform.capacity()).toEqual({ cpuMillis: 2_000, memoryBytes: 4_096 });
  expect(await platform.freePorts(2, new Set([30_000]))).toEqual([30_001, 30_002]);
  expect(await platform.freePorts(9, new Set([30_001]))).toEqual([30_000, 30_002, 30_003]);
});
