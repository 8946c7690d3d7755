import { InvalidArgumentError } from "commander";
import { expect, test } from "vitest";
import { parseCount, parseDuration, sizeFields } from "./options.ts";

test.each([
  ["90", 90_000],
  ["90s", 90_000],
  ["10m", 600_000],
  ["24h", 86_400_000],
])("%s is %i ms", (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each(["", "0", "0s", "m", "-1s", "1.5m", "1d", "25h", "1 m"])(
  "%j is no duration to wait for",
  (text) => {
    expect(() => parseDuration(text)).toThrow(InvalidArgumentError);
  },
);

test.each(["", "-1", "1.5", "two", "1e1", "1000"])("%j is no count", (text) => {
  expect(() => parseCount(text)).toThrow(InvalidArgumentError);
});

test("only what was said becomes a field of the request", () => {
  expect(sizeFields({})).toEqual({});
  expect(sizeFields({ cpu: "1000" })).toEqual({ cpu_millis: "1000" });
  expect(sizeFields({ cpu: "1000", memory: "4" })).toEqual({ cpu_millis: "1000", memory_gbs: "4" });
});
