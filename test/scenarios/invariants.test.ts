/** Random lives of a service: whatever is asked and whatever breaks, the laws hold and there is an end. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { memberLimits } from "../../src/planner/limits.ts";
import { settingsForSize } from "../../src/planner/settings.ts";
import { candidates } from "../../src/platforms/simulated/cluster.ts";
import { servingLeader, TIMINGS } from "../../src/platforms/simulated/state.ts";
import { LIMIT_MS, World } from "../support/world.ts";
import { type Happening, harmlessLife, harshLife } from "./happenings.ts";
import { checkStep } from "./invariants.ts";

const RUNS = 2_000;
const TIMEOUT_MS = 120_000;

test("while volumes survive, every life ends as was asked for, and no confirmed write is lost", {
  timeout: TIMEOUT_MS,
}, async () => {
  await fc.assert(
    fc.asyncProperty(harmlessLife, async (life) => {
      const world = await lived(life);
      await told(world, async () => {
        await world.settled();
        const { members, gateway } = await world.observe();
        const { replicaCount, size } = world.desired;
        expect(members).toHaveLength(1 + replicaCount);
        for (const { limits, postgres } of members) {
          expect(limits).toEqual(memberLimits(size));
          expect(postgres?.settings).toEqual(settingsForSize(size));
        }
        expect(gateway.serving).toBe(true);
        expect(world.state.writes.lostConfirmed).toBe(0);
        // A primary may wait for a synchronous replica that has just gone until its next look.
        world.clock.advance(TIMINGS.loop);
        expect(world.faults.write(world.serviceId)).toBe(true);
      });
    }),
    { numRuns: RUNS },
  );
});

test("where volumes are lost, it ends as was asked for, or waits without making up data", {
  timeout: TIMEOUT_MS,
}, async () => {
  await fc.assert(
    fc.asyncProperty(harshLife, async (life) => {
      const world = await lived(life);
      await told(world, async () => {
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

/** A service through a whole life, every step of it under the laws; at the end all faults have stopped. */
async function lived(life: readonly Happening[]): Promise<World> {
  const world: World = new World({}, (step, observed, state) =>
    checkStep(step, observed, state, world.desired.settledGeneration),
  );
  await told(world, async () => {
    for (const happening of life) {
      if (world.desired.presence === "absent") break;
      await happening(world);
    }
    world.faults.cease();
    for (const { ordinal } of world.state.members) world.faults.thawMember(world.serviceId, ordinal);
  });
  return world;
}

/** No member is left that may lead: its data is gone, or it may lack confirmed writes. */
function isForsaken({ state }: World): boolean {
  const starting = state.members.some(
    ({ data, server }) => server.kind === "initialising" || (data !== null && server.kind !== "up"),
  );
  return !starting && servingLeader(state) === null && candidates(state).length === 0;
}

async function told(world: World, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (cause) {
    throw new Error(`after this life:\n${world.timeline.join("\n")}`, { cause });
  }
}
