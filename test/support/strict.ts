/** The schemas of the contract as a strict client reads them: a field they do not know is an error. */
import { Errors } from "typebox/schema";

/** Every way in which the value does not match. */
export function strictErrors(schema: object, value: unknown): readonly unknown[] {
  return Errors(strictCopy(schema), value)[1];
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
