/** Random lives of a service: whatever is asked and whatever breaks, the laws hold and there is an end. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { EVERY_ADDRESS } from "../../src/contract/cidr.ts";
import type { DesiredVpc } from "../../src/planner/desired.ts";
import { memberLimits } from "../../src/planner/limits.ts";
import type { ObservedAttachment } from "../../src/planner/observed.ts";
import { settingsFor } from "../../src/planner/settings.ts";
import { candidates } from "../../src/platforms/simulated/cluster.ts";
import { servingLeader, TIMINGS } from "../../src/platforms/simulated/state.ts";
import { LARGE } from "../support/services.ts";
import { LIMIT_MS, PARENT, type World } from "../support/world.ts";
import {
  beginning,
  CLIENT,
  type Happening,
  harmlessLife,
  harshLife,
  restlessLife,
  VPC_RANGE,
} from "./happenings.ts";
import { LawfulWorld, told } from "./lawful-world.ts";

const RUNS = 2_000;
const TIMEOUT_MS = 120_000;

test("while volumes survive, every life ends as was asked for, and no confirmed write is lost", {
  timeout: TIMEOUT_MS,
}, async () => {
  await fc.assert(
    fc.asyncProperty(harmlessLife, async (life) => {
      const world = await lived(life);
      await told(world, async () => {
        findVpc(world);
        await world.settled();
        expect(world.state.writes.lostConfirmed).toBe(0);
        // Whatever was asked for while it rested is there once it runs.
        if (world.desired.power === "stopped") {
          world.want({ power: "running" });
          await world.settled();
        }
        await expectAsAsked(world);
        expect(world.state.writes.lostConfirmed).toBe(0);
      });
    }),
    { numRuns: RUNS },
  );
});

test("no acknowledged write is missing after stops and starts, replicas being asynchronous or not", {
  timeout: TIMEOUT_MS,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: 2 }), fc.boolean(), restlessLife, async (replicaCount, moved, life) => {
      const world = new LawfulWorld({ replicaCount });
      await world.settled();
      // With replicas, another one leads then.
      if (moved) world.want({ size: LARGE });
      await world.settled();
      await livedIn(world, life);
      await told(world, async () => {
        await world.settled();
        if (world.desired.power === "stopped") world.want({ power: "running" });
        await world.settled();
        expect(world.state.writes.lost).toBe(0);
      });
    }),
    { numRuns: RUNS / 4 },
  );
});

test("a fork begins with all that its parent had when it was asked for, or later, and is its own from then on", {
  timeout: TIMEOUT_MS,
}, async () => {
  await fc.assert(
    fc.asyncProperty(beginning, async (life) => {
      const world = new LawfulWorld({ forkedFrom: PARENT });
      const parent = await world.withParent(3);
      const asked = parent.state.writes.acknowledged;
      await livedIn(world, life);
      await told(world, async () => {
        parent.faults.cease();
        await parent.settled();
        await world.settled();
        const { writes, systemId, copy } = world.state;
        expect(writes.acknowledged).toBeGreaterThanOrEqual(asked);
        expect(systemId).not.toBe(parent.state.systemId);
        expect(copy.state).toBe("absent");
        parent.want({ presence: "absent" });
        await parent.settled();
        expect(world.state.writes).toEqual(writes);
        world.clock.advance(TIMINGS.loop);
        expect(world.faults.write(world.serviceId)).toBe(true);
      });
    }),
    { numRuns: RUNS / 4 },
  );
});

test("where volumes are lost, it ends as was asked for, or waits without making up data", {
  timeout: TIMEOUT_MS,
}, async () => {
  await fc.assert(
    fc.asyncProperty(harshLife, async (life) => {
      const world = await lived(life);
      await told(world, async () => {
        findVpc(world);
        const end = await world.until(
          ({ plan }) => plan?.kind === "settled" || (plan?.kind === "wait" && isForsaken(world)),
        );
        if (end.plan?.kind === "settled") return;
        // What waits in vain goes on waiting, and says so.
        const later = world.clock.now().getTime() + LIMIT_MS;
        const last = await world.until(() => world.clock.now().getTime() > later, 2 * LIMIT_MS);
        expect(last.plan?.kind).toBe("wait");
        expect(last.assessment.conditions.map(({ reason }) => reason)).toContain("Overdue");
      });
    }),
    { numRuns: RUNS },
  );
});

/** What stands in the way of a VPC's network goes by. */
function findVpc(world: World): void {
  const { vpc, presence } = world.desired;
  if (vpc !== null && presence === "present") world.want({ vpc: { ...vpc, problem: null } });
}

async function expectAsAsked(world: World): Promise<void> {
  const { members, gateway, pooler, roles, vpc } = await world.observe();
  const { replicaCount, size, parameters, allowList, passwordVersion, ...desired } = world.desired;
  expect(members).toHaveLength(1 + replicaCount);
  for (const { limits, postgres } of members) {
    expect(limits).toEqual(memberLimits(size));
    expect(postgres?.settings).toEqual(settingsFor(size, parameters));
  }
  expect(gateway).toEqual({ state: "running", serving: true, allowList });
  expect(roles).toEqual({ current: true, passwordVersion });
  expect(pooler.serving).toBe(desired.pooler);
  expect(vpc).toEqual(attachmentTo(desired.vpc));
  // A primary may wait for a synchronous replica that has just gone until its next look.
  world.clock.advance(TIMINGS.loop);
  expect(world.faults.write(world.serviceId, CLIENT)).toBe(allowList.length > 0);
  const somewhereInside = desired.vpc?.cidr ?? VPC_RANGE;
  const everybody = allowList.some((range) => EVERY_ADDRESS.includes(range));
  expect(world.faults.write(world.serviceId, somewhereInside)).toBe(everybody || desired.vpc !== null);
}

function attachmentTo(vpc: DesiredVpc | null): ObservedAttachment | undefined {
  if (!vpc) return undefined;
  const relays = vpc.peerings.map(({ peeringId }) => ({ peeringId, running: true }));
  return { joined: [vpc.vpcId], ranges: [vpc.cidr], relays };
}

/** A service through a whole life, every step of it under the laws; at the end all faults have stopped. */
async function lived(life: readonly Happening[]): Promise<World> {
  const world = new LawfulWorld();
  await livedIn(world, life);
  return world;
}

async function livedIn(world: World, life: readonly Happening[]): Promise<void> {
  await told(world, async () => {
    for (const happening of life) {
      if (world.desired.presence === "absent") break;
      await happening(world);
    }
    world.faults.cease();
    for (const { ordinal } of world.state.members) world.faults.thawMember(world.serviceId, ordinal);
  });
}

/** No member is left that may lead: its data is gone, or it may lack confirmed writes. */
function isForsaken({ state }: World): boolean {
  const starting = state.members.some(
    ({ data, server }) => server.kind === "initialising" || (data !== null && server.kind !== "up"),
  );
  return !starting && servingLeader(state) === null && candidates(state).length === 0;
}
