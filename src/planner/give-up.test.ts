import { describe, expect, test } from "vitest";
import { desiredService, LARGE, SMALL } from "../../test/support/services.ts";
import { describeGivenUp, givesUp, type Obstacle, type Trouble } from "./give-up.ts";
import { memberLimits } from "./limits.ts";
import type { Step } from "./step.ts";

const BEFORE = { size: SMALL, parameters: {} };
const resized = desiredService({ generation: 2, settledGeneration: 1, size: LARGE, settledSizing: BEFORE });
const handingOver = desiredService({
  generation: 2,
  settledGeneration: 1,
  settledSizing: BEFORE,
  handOverFrom: 0,
});

const setLimits: Step = { kind: "setLimits", ordinal: 0, limits: memberLimits(LARGE) };
const switchover: Step = { kind: "switchover", from: 0, to: 1 };

const failing = (step: Step, times: number): Trouble => ({ kind: "step", step, why: "no memory", times });
const waiting = (reason: Obstacle, forMs: number): Trouble => ({
  kind: "wait",
  reason,
  detail: "it does not come back",
  forMs,
});

describe("a size that cannot be brought into force", () => {
  test.each([
    ["fails again and again", failing(setLimits, 3)],
    ["leaves no primary", waiting("primary", 10_000)],
    ["leaves a member silent", waiting("answer", 60_000)],
    ["is not taken up", waiting("step:takeUpSettings", 60_000)],
    ["lets no server restart", waiting("step:restartPostgres", 120_000)],
  ])("goes back to the last one where it %s", (_, trouble) => {
    expect(givesUp(resized, trouble)).toMatchObject({ kind: "sizing", to: BEFORE });
  });

  test.each([
    ["has failed only twice", failing(setLimits, 2)],
    ["has left no primary for some seconds only", waiting("primary", 9_999)],
    ["waits for a copy of much data", waiting("replication", 3_600_000)],
    ["waits for what has nothing to do with it", failing({ kind: "ensureGateway", allowList: [] }, 1_000)],
  ])("is not given up where it %s", (_, trouble) => {
    expect(givesUp(resized, trouble)).toBeNull();
  });

  test("is said to go back, and why", () => {
    const given = givesUp(resized, failing(setLimits, 3));
    expect(given && describeGivenUp(given, resized)).toBe(
      "The size goes back to 0.5 CPU and 2 GB, since 1 CPU and 4 GB could not be brought into force: " +
        "Setting the CPU and memory of member 0 failed: no memory",
    );
  });
});

test("parameters that no server starts with go back to what they were", () => {
  const changed = desiredService({ settledSizing: BEFORE, parameters: { max_connections: "900" } });
  const given = givesUp(changed, waiting("primary", 10_000));
  expect(given).toMatchObject({ kind: "sizing", to: BEFORE });
  expect(given && describeGivenUp(given, changed)).toMatch(
    /^The parameters go back to what they were, since/,
  );
});

test("a parameter that was taken back counts as a change too", () => {
  const before = { size: SMALL, parameters: { max_connections: "900" } };
  expect(givesUp(desiredService({ settledSizing: before }), waiting("primary", 10_000))).toMatchObject({
    to: before,
  });
});

describe("a lead that cannot be handed over", () => {
  test("stays where it is", () => {
    const given = givesUp(handingOver, failing(switchover, 5));
    expect(given).toMatchObject({ kind: "hand-over" });
    expect(given && describeGivenUp(given, handingOver)).toContain("The lead stays where it is");
    expect(givesUp(handingOver, waiting("step:switchover", 60_000))).toMatchObject({ kind: "hand-over" });
  });

  test("is not given up for another trouble", () => {
    expect(givesUp(handingOver, waiting("primary", 600_000))).toBeNull();
  });
});

test.each([
  ["was never ready", desiredService({ size: LARGE })],
  ["is as it was", desiredService({ settledSizing: BEFORE })],
  ["shall be absent", { ...resized, presence: "absent" } as const],
  ["shall be stopped", { ...resized, power: "stopped" } as const],
])("a service that %s has nothing to go back to", (_, desired) => {
  expect(givesUp(desired, waiting("primary", 600_000))).toBeNull();
});
