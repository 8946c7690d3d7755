/** Hundreds of seeded schedules on virtual time; `npm run chaos -- --simulated` runs thousands. */
import { expect, test } from "vitest";
import { KEPT_LIVES } from "./seeds.ts";
import { simulate } from "./simulated.ts";

const LIVES = 200;
const DURATION_MS = 60_000;
const TIMEOUT_MS = 120_000;

test("whatever happens when, every life of a service comes to a good end under the laws", {
  timeout: TIMEOUT_MS,
}, async () => {
  for (let seed = 1; seed <= LIVES; seed += 1) expect(await simulate(seed, DURATION_MS)).toBeNull();
});

test.each(KEPT_LIVES)("seed $seed has found: $found", async ({ seed, durationMs }) => {
  expect(await simulate(seed, durationMs)).toBeNull();
});
