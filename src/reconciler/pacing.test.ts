import { describe, expect, test } from "vitest";
import { backoffMs, FAILURE_BACKOFF_MS, resyncDelayMs, waitDelayMs } from "./pacing.ts";

describe("a wait", () => {
  test.each([
    [0, 100],
    [500, 100],
    [4_000, 400],
    [10_000, 1_000],
    [59_999, 1_000],
    [60_000, 5_000],
    [3_600_000, 5_000],
  ])("that has lasted %i ms is looked at again after %i ms", (waitedMs, delayMs) => {
    expect(waitDelayMs(waitedMs)).toBe(delayMs);
  });
});

describe("a failure", () => {
  test("is tried again after half a second, then after twice as long each time, up to half a minute", () => {
    const delays = [1, 2, 3, 4, 5, 6, 7, 8, 1_000_000].map((n) => backoffMs(n, FAILURE_BACKOFF_MS, 0.5));
    expect(delays).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  });

  test("of many services at once is tried again at different times, a fifth earlier or later", () => {
    expect(backoffMs(1, FAILURE_BACKOFF_MS, 0)).toBe(400);
    expect(backoffMs(1, FAILURE_BACKOFF_MS, 1)).toBe(600);
  });
});

test("a service with nothing to do is looked at every ten seconds or so", () => {
  expect([0, 0.5, 1].map(resyncDelayMs)).toEqual([8_000, 10_000, 12_000]);
});
