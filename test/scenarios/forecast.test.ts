/** What was foreseen is what happens where nothing comes between, and there is an end to it whatever has happened before. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { DesiredService } from "../../src/planner/desired.ts";
import { type Forecast, forecast } from "../../src/planner/forecast.ts";
import type { Step } from "../../src/planner/step.ts";
import type { Look } from "../support/converge.ts";
import { LARGE, SMALL } from "../support/services.ts";
import { PARENT, World } from "../support/world.ts";
import { beginning, harmlessLife, harshLife } from "./happenings.ts";
import { told } from "./lawful-world.ts";
import { SCENARIOS } from "./scenarios.ts";

const TIMEOUT_MS = 120_000;

const replicas = fc
  .nat({ max: 3 })
  .chain((replicaCount) =>
    fc.record({ replicaCount: fc.constant(replicaCount), syncReplicaCount: fc.nat({ max: replicaCount }) }),
  );

const shape = fc
  .record({
    size: fc.constantFrom(SMALL, LARGE),
    pooler: fc.boolean(),
    parameters: fc.constantFrom({}, { max_connections: "50" }, { max_connections: "200" }, { jit: "off" }),
  })
  .chain((rest) => replicas.map((counts) => ({ ...rest, ...counts })));

const asked = fc.oneof(
  shape.map((changes): Partial<DesiredService> => changes),
  fc.constantFrom<Partial<DesiredService>>(
    { power: "stopped" },
    { handOverFrom: 0 },
    { allowList: ["192.0.2.0/24"] },
    { passwordVersion: 2 },
    { presence: "absent" },
  ),
);

test("without faults, what is done for any change is what was foreseen, from its beginning and at every look on the way", {
  timeout: TIMEOUT_MS,
}, async () => {
  await fc.assert(
    fc.asyncProperty(shape, asked, async (start, changes) => {
      const world = new World(start);
      await told(world, async () => {
        for (const { foreseen, done } of [
          ...(await followed(world, {})),
          ...(await followed(world, changes)),
          ...(await followed(world, { power: "running" })),
        ]) {
          expect(foreseen.end).toBe("settled");
          expect(once(stepsOf(foreseen))).toEqual(once(done));
        }
      });
    }),
    { numRuns: 150 },
  );
});

/** What was foreseen at each look until all is settled, and what was really done from then on. */
async function followed(world: World, changes: Partial<DesiredService>) {
  if (world.desired.presence === "absent") return [];
  if (Object.keys(changes).length > 0) world.want(changes);
  const looks: { readonly foreseen: Forecast; readonly step: Step | null }[] = [];
  await world.until(({ observed, step, plan }) => {
    if (observed) looks.push({ foreseen: forecast(world.desired, observed), step });
    return plan?.kind === "settled";
  });
  return looks.map(({ foreseen }, index) => ({
    foreseen,
    done: looks.slice(index).flatMap(({ step }) => step ?? []),
  }));
}

function stepsOf({ stages }: Forecast): Step[] {
  return stages.flatMap((stage) => (stage.kind === "step" ? [stage.step] : []));
}

/**
 * A step that is repeated until it is done counts once. Who takes over is for the members to agree on until the last moment,
 * and what they take up by themselves may be in force before anybody looks.
 */
function once(steps: readonly Step[]): readonly Step[] {
  return steps
    .filter(({ kind }) => kind !== "takeUpSettings")
    .filter((step, index) => JSON.stringify(step) !== JSON.stringify(steps[index - 1]))
    .map((step) => (step.kind === "switchover" ? { ...step, to: -1 } : step));
}

test("from whatever is seen in a life of faults, an end is foreseen", { timeout: TIMEOUT_MS }, async () => {
  const lives = fc.oneof(harmlessLife, harshLife).map((life) => ({ life, start: {} }));
  const forks = beginning.map((life) => ({ life, start: { forkedFrom: PARENT } }));
  await fc.assert(
    fc.asyncProperty(fc.oneof(lives, forks), async ({ life, start }) => {
      const world = new World(start);
      await world.withParent(3);
      await told(world, async () => {
        for (const happening of life) {
          await happening(world);
          const seen = await world.observe().catch(() => null);
          if (!seen) continue;
          expect(isEnd(forecast(world.desired, seen))).toBe(true);
        }
      });
    }),
    { numRuns: 300 },
  );
});

test.each(SCENARIOS)("$name: an end is foreseen at every look", async ({ start, before, play }) => {
  const seen: Forecast[] = [];
  class Foreseeing extends World {
    override async look(): Promise<Look> {
      const look = await super.look();
      if (look.observed) seen.push(forecast(this.desired, look.observed));
      return look;
    }
  }
  const world = new Foreseeing(start);
  await before?.(world);
  await play(world);
  expect(seen.filter((foreseen) => !isEnd(foreseen))).toEqual([]);
});

/** What the service itself cannot bring about. */
const OUTSIDE: ReadonlySet<string> = new Set(["data-missing", "storage-full", "parent", "vpc"]);

function isEnd({ stages, end }: Forecast): boolean {
  const last = stages.at(-1);
  return end === (last?.kind === "wait" && OUTSIDE.has(last.reason) ? "blocked" : "settled");
}
