import { expect, test } from "vitest";
import { wordsOf } from "./operation-words.ts";

test.each([
  ["resizeService", "Resize service"],
  ["setHA", "Set HA"],
  ["createVpc", "Create VPC"],
  ["attachToVPC", "Attach to VPC"],
  ["switchover", "Switchover"],
])("%s is told as: %s", (operation, words) => {
  expect(wordsOf(operation)).toBe(words);
});
