import { expect, test } from "vitest";
import { cpuInWords, lastOf } from "./cpu-words.ts";

test("a share of the limit is told, and cores where there is none", () => {
  expect(cpuInWords([100, 250, 50], 500)).toEqual({
    now: "10 %",
    label: "CPU of the last hour: 10 % at the end, 50 % at most",
    ceiling: 250,
  });
  expect(cpuInWords([12.4], undefined)).toMatchObject({ now: "0.01 CPU", ceiling: 100 });
});

test("next to nothing is neither told as nothing nor drawn as much", () => {
  expect(cpuInWords([1, 2], 1_000)).toMatchObject({ now: "< 1 %", ceiling: 100 });
  expect(cpuInWords([0], 1_000).now).toBe("0 %");
});

test("what was last measured long ago is not told as now", () => {
  expect(lastOf([5, null, null])).toBe(5);
  expect(lastOf([5, null, null, null])).toBeNull();
  expect(lastOf([])).toBeNull();
});
