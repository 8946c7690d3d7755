import { expect, test } from "vitest";
import { amount } from "./amount.ts";

test.each([
  ["512MB", "512 MB"],
  ["5242kB", "5.1 MB"],
  ["1536MB", "1.5 GB"],
  ["4GB", "4 GB"],
  ["100", "100"],
])("%s is told as %s", (printed, told) => {
  expect(amount(printed)).toBe(told);
});
