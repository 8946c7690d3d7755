import { expect, test } from "vitest";
import { ago, until } from "./time-words.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const FAR = 3 * 3_600_000;
const at = (ms: number) => new Date(NOW + ms).toISOString();
const hours = new Intl.RelativeTimeFormat(undefined, { numeric: "auto", style: "short" });

test("what has been is told by how long ago it was", () => {
  expect(ago(at(-FAR), NOW)).toBe(hours.format(-3, "hour"));
  expect(ago(at(-2_000), NOW)).toBe("just now");
});

test("what is to come is told by how long it takes", () => {
  expect(until(at(FAR), NOW)).toBe(hours.format(3, "hour"));
  expect(until(at(2_000), NOW)).toBe("in a moment");
});

test("a clock that is wrong does not turn one into the other", () => {
  expect(ago(at(FAR), NOW)).toBe("just now");
  expect(until(at(-FAR), NOW)).toBe("in a moment");
});
