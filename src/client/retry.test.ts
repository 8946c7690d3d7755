import { expect, test } from "vitest";
import { ClientError } from "./client-error.ts";
import { parseRetryAfter, retryAfterMs } from "./retry.ts";

const NOW = new Date("2026-06-01T00:00:00Z");

test.each([
  [null, null],
  ["3", 3_000],
  ["Mon, 01 Jun 2026 00:00:05 GMT", 5_000],
  ["Sun, 31 May 2026 00:00:00 GMT", 0],
  ["soon", null],
])("Retry-After %j means %j ms", (header, ms) => {
  expect(parseRetryAfter(header, NOW)).toBe(ms);
});

test("each try waits longer than the one before, and the third is the last", () => {
  const error = new ClientError("UNAVAILABLE", "the state database cannot be reached", { status: 503 });
  expect([1, 2, 3].map((tries) => retryAfterMs(error, tries))).toEqual([250, 500, null]);
});

test("the API's own word on when to come back counts, unless it is too long to wait for", () => {
  const busy = (ms: number) =>
    new ClientError("TOO_MANY_REQUESTS", "busy", { status: 429, retryAfterMs: ms });
  expect(retryAfterMs(busy(4_000), 1)).toBe(4_000);
  expect(retryAfterMs(busy(60_000), 1)).toBeNull();
});

test("a proxy's 503 is a 503", () => {
  expect(retryAfterMs(new ClientError("UNEXPECTED_ANSWER", "503", { status: 503 }), 1)).toBe(250);
});

test("what is refused stays refused", () => {
  for (const [code, status] of [
    ["INVALID_REQUEST", 400],
    ["NOT_FOUND", 404],
    ["INTERNAL", 500],
  ] as const)
    expect(retryAfterMs(new ClientError(code, "no", { status }), 1)).toBeNull();
});
