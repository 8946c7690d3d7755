import { expect, test } from "vitest";
import { boundsOf, LAST_HOUR, refreshEvery } from "./time-range.ts";

const NOW = Date.parse("2026-11-21T10:00:00Z");

test("the last hour ends now", () => {
  expect(boundsOf(LAST_HOUR, NOW)).toEqual({
    from: "2026-11-21T09:00:00.000Z",
    to: "2026-11-21T10:00:00.000Z",
  });
});

test("a time between two moments stays what it is, and is never asked for again", () => {
  const range = {
    kind: "between",
    from: "2026-11-20T00:00:00.000Z",
    to: "2026-11-20T12:00:00.000Z",
  } as const;
  expect(boundsOf(range, NOW)).toEqual({ from: range.from, to: range.to });
  expect(refreshEvery(range)).toBe(false);
});

test("the longer the time, the more seldom it is asked for again", () => {
  const month = { kind: "last", seconds: 30 * 86_400 } as const;
  expect(refreshEvery(LAST_HOUR)).toBe(15_000);
  expect(refreshEvery(month)).toBeGreaterThan(10 * 60_000);
});
