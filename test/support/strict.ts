/** The schemas of the contract as a strict client reads them: a field they do not know is an error. */
import { Errors } from "typebox/schema";
import { expect } from "vitest";

/** Fails with every way in which the value does not match. */
export function expectStrictly(schema: object, value: unknown): void {
  const [matches, errors] = Errors(strictCopy(schema), value);
  expect(errors, JSON.stringify(value)).toEqual([]);
  expect(matches).toBe(true);
}

function strictCopy(schema: object): object {
  const copied = Object.entries(schema).map(([key, value]: [string, unknown]) => [key, copy(value)]);
  const strict = "properties" in schema ? { additionalProperties: false } : {};
  return { ...Object.fromEntries(copied), ...strict };
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy);
  return typeof value === "object" && value !== null ? strictCopy(value) : value;
}
