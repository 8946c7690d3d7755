import { expect, test } from "vitest";
import { linesOf } from "./sparkline-path.ts";

test("a line goes from the first value to the last, the highest at the top", () => {
  expect(linesOf([0, 50, 100], 100)).toEqual({
    stroke: "M0 28L50 14L100 0",
    area: "M0 28L50 14L100 0V28H0Z",
  });
});

test("a gap stays a gap, and a single value is seen", () => {
  expect(linesOf([null, 50, null, 0, 0], 100).stroke).toBe("M25 14h1M75 28L100 28");
});

test("nothing, no ceiling and too much are drawn without a fault", () => {
  expect(linesOf([], 100)).toEqual({ stroke: "", area: "" });
  expect(linesOf([null, null], 100).stroke).toBe("");
  expect(linesOf([0, 0], 0).stroke).toBe("M0 28L100 28");
  expect(linesOf([500, 500], 100).stroke).toBe("M0 0L100 0");
});
