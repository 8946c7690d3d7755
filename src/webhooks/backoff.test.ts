import { expect, test } from "vitest";
import { concludeTry } from "./backoff.ts";

const NOW = new Date("2026-11-21T10:00:00Z");
const IN_A_DAY = new Date("2026-11-22T10:00:00Z");
const failed = { status: 503, error: "the receiver answered 503", retryAfterMs: null };

test("what fails is tried again after longer and longer pauses, for a day", () => {
  let now = NOW;
  const pauses: number[] = [];
  let conclusion = tryAgain();
  while (conclusion.kind === "again" && pauses.length < 100) {
    pauses.push(conclusion.inMs / 1_000);
    now = new Date(now.getTime() + conclusion.inMs);
    conclusion = tryAgain();
  }
  expect(conclusion.kind).toBe("given-up");
  expect(pauses.slice(0, 6)).toEqual([5, 15, 45, 135, 405, 1_215]);
  expect(pauses.at(-1)).toBe(7_200);
  expect(IN_A_DAY.getTime() - now.getTime()).toBeLessThan(7_200_000);

  function tryAgain() {
    return concludeTry({ attempts: pauses.length + 1, failures: 0, expiresAt: IN_A_DAY }, failed, now, 0.5);
  }
});

test("pauses are spread, and never shorter than what the receiver asks for", () => {
  const tried = { attempts: 1, failures: 0, expiresAt: IN_A_DAY };
  const [early, late] = [0, 0.999].map((random) => concludeTry(tried, failed, NOW, random));
  expect(early).toMatchObject({ inMs: 4_000 });
  expect(late).toMatchObject({ inMs: expect.closeTo(6_000, -1) });
  expect(concludeTry(tried, { ...failed, retryAfterMs: 60_000 }, NOW, 0)).toMatchObject({ inMs: 60_000 });
});

test("a receiver that fails again and again rests for up to five minutes", () => {
  const rests = [0, 1, 5, 50].map((failures) =>
    concludeTry({ attempts: 1, failures, expiresAt: IN_A_DAY }, failed, NOW, 0),
  );
  expect(rests.map((one) => ("restMs" in one ? one.restMs : null))).toEqual([1_000, 2_000, 32_000, 300_000]);
});

test("2xx is delivered, and 410 means that nothing is wanted any more", () => {
  const tried = { attempts: 1, failures: 0, expiresAt: IN_A_DAY };
  expect(concludeTry(tried, { status: 204, error: null, retryAfterMs: null }, NOW, 0)).toEqual({
    kind: "delivered",
  });
  expect(concludeTry(tried, { ...failed, status: 410 }, NOW, 0)).toEqual({ kind: "gone" });
});
