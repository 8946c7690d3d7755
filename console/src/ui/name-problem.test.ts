import { expect, test } from "vitest";
import { nameProblem } from "./name-problem.ts";

test("a name is refused as the API would refuse it", () => {
  expect(nameProblem("orders 🐘")).toBeNull();
  expect(nameProblem("🐘".repeat(128))).toBeNull();
  for (const name of ["", "x".repeat(129), "a\0b", "half \ud83d"]) expect(nameProblem(name)).not.toBeNull();
});
