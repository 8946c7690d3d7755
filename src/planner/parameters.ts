/** What users may set a parameter to, and how that is written. Pure. */

import {
  parseBool,
  parseInteger,
  parseReal,
  printInteger,
  printReal,
  unitsOf,
} from "../contract/postgres-notation.ts";
import { type Size, sizeInWords } from "../contract/size.ts";
import { memberLimits } from "./limits.ts";
import { type Bound, type NumberParameter, PARAMETERS, type Parameter } from "./parameter-catalogue.ts";
import type { PostgresSettings } from "./settings.ts";

/** As JSON can say it. */
export type ParameterValue = string | number | boolean;

export type Canonical =
  /** As SHOW prints it. */
  | { readonly kind: "value"; readonly value: string }
  /** A sentence that names the parameter and what is accepted. */
  | { readonly kind: "refused"; readonly message: string };

const BY_NAME: ReadonlyMap<string, Parameter> = new Map(PARAMETERS.map((each) => [each.name, each]));
const MOST_ECHOED = 40;

export function findParameter(name: string): Parameter | null {
  return BY_NAME.get(name) ?? null;
}

/** Reads a value as PostgreSQL would, for a member of that size. */
export function canonicalValue(parameter: Parameter, input: ParameterValue, size: Size): Canonical {
  const value = read(parameter, input, size);
  if (value !== null) return { kind: "value", value };
  const echo = JSON.stringify(input).slice(0, MOST_ECHOED);
  return {
    kind: "refused",
    message: `${parameter.name} must be ${accepted(parameter, size)}; ${echo} is not`,
  };
}

/** Why these values cannot all be in force at that size: a sentence that names the first; null where they can. */
export function refuseParameters(overrides: PostgresSettings, size: Size): string | null {
  for (const [name, value] of Object.entries(overrides)) {
    const parameter = findParameter(name);
    const canonical = parameter && canonicalValue(parameter, value, size);
    if (canonical?.kind === "refused") return canonical.message;
  }
  return null;
}

/** Lowest and highest, as SHOW prints them. */
export function rangeOf(
  parameter: NumberParameter,
  size: Size,
): { readonly min: string; readonly max: string } {
  const { min, max } = bounds(parameter, size);
  return { min: print(parameter, min), max: print(parameter, max) };
}

function read(parameter: Parameter, input: ParameterValue, size: Size): string | null {
  switch (parameter.type) {
    case "bool": {
      const value = parseBool(String(input));
      return value === null ? null : value ? "on" : "off";
    }
    case "enum": {
      const option = String(input).toLowerCase();
      return typeof input === "string" && parameter.options.includes(option) ? option : null;
    }
    case "integer":
    case "real": {
      const amount = typeof input === "boolean" ? null : parse(parameter, String(input));
      if (amount === null) return null;
      const { min, max } = bounds(parameter, size);
      const fits = (amount >= min && amount <= max) || amount === Number(parameter.special);
      return fits ? print(parameter, amount) : null;
    }
  }
}

function bounds(parameter: NumberParameter, size: Size): { readonly min: number; readonly max: number } {
  const { memoryBytes } = memberLimits(size);
  const amount = (bound: Bound) =>
    parse(parameter, typeof bound === "string" ? bound : bound(memoryBytes)) ?? Number.NaN;
  return { min: amount(parameter.min), max: amount(parameter.max) };
}

function parse({ type, unit }: NumberParameter, text: string): number | null {
  return type === "integer" ? parseInteger(text, unit) : parseReal(text, unit);
}

function print({ type, unit }: NumberParameter, amount: number): string {
  return type === "integer" ? printInteger(amount, unit) : printReal(amount, unit);
}

function accepted(parameter: Parameter, size: Size): string {
  switch (parameter.type) {
    case "bool":
      return "on or off";
    case "enum":
      return `one of ${parameter.options.join(", ")}`;
    case "integer":
    case "real": {
      const { min, max } = rangeOf(parameter, size);
      const where = typeof parameter.max === "string" ? "" : ` at ${sizeInWords(size)}`;
      const special = parameter.special === undefined ? "" : `, or ${parameter.special}`;
      return `${kindOf(parameter)} from ${min} to ${max}${where}${special}${notation(parameter)}`;
    }
  }
}

function kindOf({ type, unit }: NumberParameter): string {
  if (unit === undefined) return type === "integer" ? "a whole number" : "a number";
  return unitsOf(unit).includes("kB") ? "an amount of memory" : "a time";
}

function notation({ unit }: NumberParameter): string {
  if (unit === undefined) return "";
  return ` (in ${unitsOf(unit).join(", ")}; a number alone counts ${unit === "8kB" ? "pages of 8kB" : unit})`;
}
