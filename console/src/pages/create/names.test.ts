import { expect, test } from "vitest";
import { proposeName } from "./names.ts";

test("a name that is taken is not proposed", () => {
  const first = proposeName(new Set(), () => 0);
  const rolls = [0, 0, 0.5, 0.5];
  expect(proposeName(new Set([first]), () => rolls.shift() ?? 0)).not.toBe(first);
  expect(proposeName(new Set([first]), () => 0)).toBe(`${first}-0`);
});
