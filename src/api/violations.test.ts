import { expect, test } from "vitest";
import { describeViolations } from "./violations.ts";

const COUNT = { type: "integer", minimum: 1 };
const WORDS = { type: ["string", "array"], minLength: 1, maxLength: 256, maxItems: 10 };

test.each([
  ["minimum", COUNT, "field must be a whole number of at least 1"],
  ["maximum", { ...COUNT, maximum: 8 }, "field must be a whole number from 1 to 8"],
  ["maxLength", { type: "string", maxLength: 256 }, "field must be a string of at most 256 characters"],
  ["minItems", { type: "array", minItems: 1, maxItems: 50 }, "field must be an array from 1 to 50 elements"],
  ["minLength", WORDS, "field must be a string from 1 to 256 characters"],
  ["maxItems", WORDS, "field must be an array of at most 10 elements"],
  ["type", WORDS, "field must be of type string or array"],
])("%s of %j is told with what would be accepted", (keyword, parentSchema, told) => {
  const violation = { keyword, instancePath: "/field", params: {}, parentSchema };
  expect(describeViolations([violation], "body")).toBe(told);
});
