/** A delete may come at any moment of anything else; nothing is left then, and nothing comes back. */
import { expect, test } from "vitest";
import type { ObservedService } from "../../src/planner/observed.ts";
import { NOTHING } from "../support/observations.ts";
import { World } from "../support/world.ts";
import { SCENARIOS, type Scenario } from "./scenarios.ts";

class Stopped extends Error {}

test.each(SCENARIOS)("a delete at any look of $name leaves nothing", async (scenario) => {
  const { count } = await playedUntil(scenario, Infinity);
  // Of long waits, every so many looks will do.
  const stride = Math.max(1, Math.floor(count / 40));
  for (let at = 0; at <= count; at += stride) {
    const { world } = await playedUntil(scenario, at);
    world.faults.cease();
    world.want({ presence: "absent" });
    await world.settled();
    expect(await ownOf(world), `deleted at look ${at}`).toEqual(NOTHING);
    world.clock.advance(60_000);
    expect(await ownOf(world)).toEqual(NOTHING);
  }
});

/** What there is of the service; what it reads from has a ground and a configuration still. */
async function ownOf(world: World): Promise<ObservedService> {
  const observed = await world.observe();
  const { foundation, configuration } = NOTHING;
  return world.desired.readsFrom === null ? observed : { ...observed, foundation, configuration };
}

/** Plays a scenario up to a number of looks. */
async function playedUntil(scenario: Scenario, looks: number): Promise<{ world: World; count: number }> {
  let count = 0;
  let limit = looks;
  class Watched extends World {
    override async look() {
      if (count >= limit) throw new Stopped();
      count += 1;
      return super.look();
    }
  }
  const world = new Watched(scenario.start);
  try {
    await scenario.before?.(world);
    await scenario.play(world);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  }
  limit = Infinity;
  return { world, count };
}
