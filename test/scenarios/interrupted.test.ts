/**
 * Every step of every scenario is cut off: before it does anything, between any two of its effects, and after all of
 * them but before anybody hears of it. What starts again then knows only what is desired and what is observed, and has
 * to come to the same end.
 */
import { expect, test } from "vitest";
import type { Step } from "../../src/planner/step.ts";
import { effects } from "../../src/platforms/simulated/steps.ts";
import { World } from "../support/world.ts";
import { SCENARIOS, type Scenario } from "./scenarios.ts";

const WITH_STEPS = SCENARIOS.filter(({ stepless }) => !stepless);

test.each(WITH_STEPS)("$name comes to the same end, whichever step is cut off", async (scenario) => {
  const undisturbed = await played(scenario);
  expect(undisturbed.steps.length).toBeGreaterThan(0);
  for (const [index, step] of undisturbed.steps.entries()) {
    for (let done = 0; done <= effects(step).length; done += 1) {
      const { end } = await played(scenario, { index, done });
      expect(end, `${step.kind} (step ${index}) cut off after ${done} effects`).toEqual(undisturbed.end);
    }
  }
});

async function played(scenario: Scenario, cut?: { readonly index: number; readonly done: number }) {
  const steps: Step[] = [];
  let playing = false;
  const world = new World(scenario.start, (step) => {
    if (playing) steps.push(step);
  });
  await scenario.before?.(world);
  playing = true;
  if (cut) world.faults.cutStep(cut.index, cut.done);
  await scenario.play(world);
  return { steps, end: await endOf(world) };
}

/** What users care about; which member leads, and by what ordinals the replicas go, may come out differently. */
async function endOf(world: World) {
  const { members, ...observed } = await world.observe();
  const { settledGeneration, generation, settledPower, power } = world.desired;
  const { lost, lostConfirmed, acknowledged } = world.state.writes;
  return {
    ...observed,
    settled: settledGeneration === generation && settledPower === power,
    writes: { lost, lostConfirmed, acknowledged },
    containers: members.map(({ container }) => container),
    primaries: members.filter(({ postgres }) => postgres?.writable).length,
    streaming: members.filter(({ postgres }) => postgres?.replication?.state === "streaming").length,
    synchronous: members.filter(({ postgres }) => postgres?.replication?.synchronous).length,
    limits: members.map(({ limits }) => limits),
    settings: members.map(({ postgres }) => postgres?.settings),
  };
}
