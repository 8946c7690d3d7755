import { expect, test } from "vitest";
import { memoryBytes } from "./format.ts";

test("memory is counted as sizes are: all of 2 GB is 2 GB", () => {
  const GB = 1024 ** 3;
  expect([0, 512, 149 * 1024 ** 2, 1.5 * GB, 2 * GB, 128 * GB].map(memoryBytes)).toEqual([
    "0 B",
    "512 B",
    "149 MB",
    "1.5 GB",
    "2 GB",
    "128 GB",
  ]);
});
