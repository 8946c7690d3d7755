import { describe, expect, test } from "vitest";
import { LARGE, SMALL } from "../../../test/support/services.ts";
import { PARENT, World } from "../../../test/support/world.ts";
import { memberLimits } from "../../planner/limits.ts";
import { settingsFor } from "../../planner/settings.ts";
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
  const large = settingsFor(LARGE, {});
  await execute(world, { kind: "configure", configuration: { settings: large, syncReplicaCount: 0 } });
  expect((await memberAt(world, 0))?.postgres?.settings).toEqual(settingsFor(SMALL, {}));
  world.clock.advance(1_000);
  const { shared_buffers } = settingsFor(SMALL, {});
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

test("a member that is stopped takes its time, and has ended then", async () => {
  const world = await settledWorld();
  const step = { kind: "stopMember", ordinal: 0 } as const;
  expect((await execute(world, step)).kind).toBe("wait");
  expect(await memberAt(world, 0)).toMatchObject({ container: "running", endedAtMs: null, postgres: null });
  world.clock.advance(400);
  expect(await memberAt(world, 0)).toMatchObject({
    container: "stopped",
    endedAtMs: world.clock.now().getTime(),
    postgres: null,
  });
  expect(await execute(world, step)).toEqual({ kind: "done" });
  await execute(world, { kind: "startMember", ordinal: 0, limits: memberLimits(SMALL) });
  expect(await memberAt(world, 0)).toMatchObject({ container: "running", endedAtMs: null });
});

test("a member that is frozen cannot be stopped", async () => {
  const world = await settledWorld();
  world.faults.freezeMember(world.serviceId, 0);
  const outcome = await execute(world, { kind: "stopMember", ordinal: 0 });
  expect(outcome).toEqual({ kind: "failed", why: "member 0 is frozen" });
});

test("what is known of a member's end goes with its container", async () => {
  const world = await settledWorld();
  world.faults.killMember(world.serviceId, 0);
  expect((await memberAt(world, 0))?.endedAtMs).toBe(world.clock.now().getTime());
  world.faults.removeContainer(world.serviceId, 0);
  expect(await memberAt(world, 0)).toMatchObject({ container: "absent", endedAtMs: null, hasVolume: true });
});

test("a replica is started with at least as many connections as its primary, whatever it was told", async () => {
  const world = await settledWorld({ replicaCount: 1 });
  const settings = settingsFor(SMALL, { max_connections: "50" });
  await execute(world, { kind: "configure", configuration: { settings, syncReplicaCount: 0 } });
  world.clock.advance(1_000);
  await execute(world, { kind: "restartPostgres", ordinal: 1 });
  world.clock.advance(500);
  expect((await memberAt(world, 1))?.postgres?.settings["max_connections"]).toBe("100");
  await execute(world, { kind: "restartPostgres", ordinal: 0 });
  world.clock.advance(500);
  expect((await memberAt(world, 0))?.postgres?.settings["max_connections"]).toBe("50");
});

describe("the gateway", () => {
  const list = ["192.0.2.0/24", "198.51.100.7/32"];

  test("lets in those of its list, before and after it was restarted, and nobody while it is changed", async () => {
    const world = await settledWorld();
    expect(world.faults.write(world.serviceId, "198.51.100.7/32")).toBe(true);
    await execute(world, { kind: "setAllowList", allowList: list });
    expect((await world.observe()).gateway.allowList).toEqual(list);
    world.faults.restartGateway(world.serviceId);
    expect((await world.observe()).gateway).toEqual({ state: "running", serving: false, allowList: list });
    world.clock.advance(300);
    expect(world.faults.write(world.serviceId, "198.51.100.7/32")).toBe(true);
    expect(world.faults.write(world.serviceId, "198.51.100.8/32")).toBe(false);
    world.faults.cutStep(0, 1);
    await expect(execute(world, { kind: "setAllowList", allowList: [] })).rejects.toThrow("cut off");
    expect((await world.observe()).gateway.allowList).toBeNull();
    expect(world.faults.write(world.serviceId, "198.51.100.7/32")).toBe(false);
  });

  test("is told its list when it is made, and tells none while it is gone", async () => {
    const world = await settledWorld();
    world.faults.loseGateway(world.serviceId);
    const change = { kind: "setAllowList", allowList: list } as const;
    expect(await execute(world, change)).toEqual({ kind: "wait", why: "the gateway does not run" });
    expect((await world.observe()).gateway.allowList).toBeNull();
    await execute(world, { kind: "ensureGateway", allowList: list });
    expect((await world.observe()).gateway.allowList).toEqual(list);
    expect(await execute(world, change)).toEqual({ kind: "done" });
  });
});

test("the pooler is reached a moment after it was started, and through a gateway alone", async () => {
  const world = await settledWorld();
  const pooler = async () => (await world.observe()).pooler;
  expect(await execute(world, { kind: "ensurePooler" })).toEqual({ kind: "done" });
  expect(await pooler()).toEqual({ state: "running", serving: false });
  world.clock.advance(200);
  expect(await pooler()).toEqual({ state: "running", serving: true });
  world.faults.loseGateway(world.serviceId);
  expect(await pooler()).toEqual({ state: "running", serving: false });
  world.faults.killPooler(world.serviceId);
  expect(await pooler()).toEqual({ state: "stopped", serving: false });
  expect(await execute(world, { kind: "removePooler" })).toEqual({ kind: "done" });
  expect(await pooler()).toEqual({ state: "absent", serving: false });
});

test("roles are set on the member that leads, and told while one does", async () => {
  const world = await settledWorld({ replicaCount: 1 });
  const step = { kind: "setRoles", passwordVersion: 4 } as const;
  expect((await execute(world, { ...step, ordinal: 1 })).kind).toBe("wait");
  expect(await execute(world, { ...step, ordinal: 0 })).toEqual({ kind: "done" });
  expect((await world.observe()).roles).toEqual({ current: true, passwordVersion: 4 });
  world.faults.freezeMember(world.serviceId, 0);
  expect((await world.observe()).roles).toBeNull();
});

describe("a copy of a parent's data", () => {
  const copy = {
    kind: "copyParent",
    ordinal: 0,
    parentId: PARENT,
    limits: memberLimits(SMALL),
  } as const;

  test("holds what the parent had at its end", async () => {
    const world = new World({ forkedFrom: PARENT });
    const parent = await world.withParent(3);
    expect(await execute(world, copy)).toEqual({ kind: "done" });
    world.clock.advance(2_999);
    parent.faults.write(PARENT);
    expect((await world.observe()).copy).toEqual({ state: "running" });
    world.clock.advance(1);
    parent.faults.write(PARENT);
    expect((await world.observe()).copy).toEqual({ state: "done" });
    await world.settled();
    expect(world.state.writes.acknowledged).toBe(4);
    expect(parent.state.writes.acknowledged).toBe(5);
    expect(world.state.systemId).not.toBe(parent.state.systemId);
  });

  test("is told of by a watch when it ends", async () => {
    const world = new World({ forkedFrom: PARENT });
    await world.withParent(0);
    await execute(world, copy);
    const told: string[] = [];
    const watching = new AbortController();
    world.platform.watch((serviceId) => told.push(serviceId), watching.signal);
    world.clock.advance(3_000);
    watching.abort();
    expect(told).toEqual([world.serviceId]);
  });

  test("cannot be made of a parent that is not there, or that nobody leads", async () => {
    const world = new World({ forkedFrom: PARENT });
    expect(await execute(world, copy)).toEqual({ kind: "failed", why: "the parent is not there" });
    const parent = await world.withParent(0);
    parent.faults.killMember(PARENT, 0);
    expect(await execute(world, copy)).toEqual({ kind: "failed", why: "the parent has no primary" });
  });

  test("fails with its parent's primary, and with what makes it", async () => {
    const world = new World({ forkedFrom: PARENT });
    const parent = await world.withParent(0);
    await execute(world, copy);
    world.faults.killCopier(world.serviceId);
    expect((await world.observe()).copy).toEqual({ state: "failed", detail: "the copier was killed" });
    expect(await execute(world, copy)).toEqual({ kind: "done" });
    parent.faults.killMember(PARENT, 0);
    expect((await world.observe()).copy).toEqual({ state: "failed", detail: "the parent's primary is gone" });
    const limits = memberLimits(SMALL);
    const configuration = { settings: settingsFor(SMALL, {}), syncReplicaCount: 0 };
    await execute(world, { kind: "ensureFoundation" });
    const begin = { kind: "createMember", ordinal: 0, limits, configuration, data: "fork" } as const;
    expect((await execute(world, begin)).kind).toBe("failed");
  });
});

describe("the lead", () => {
  test("is given away at once by a member that ends cleanly, with all that was acknowledged", async () => {
    const world = await settledWorld({ replicaCount: 1 });
    world.faults.write(world.serviceId);
    await execute(world, { kind: "stopMember", ordinal: 0 });
    world.clock.advance(399);
    expect(world.leader).toBe(0);
    world.clock.advance(1);
    expect(world.leader).toBe(1);
    expect(world.state.writes).toMatchObject({ acknowledged: 1, lost: 0 });
  });

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
  const configuration = { settings: settingsFor(SMALL, {}), syncReplicaCount: 0 };
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
