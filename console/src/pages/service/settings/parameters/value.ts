/** What may be written as the value of a parameter, by the bounds that the API tells. Pure. */
import type { ParameterRecords } from "../../../../../../src/client/index.ts";
import {
  parseBool,
  parseInteger,
  parseReal,
  type Unit,
  unitsOf,
} from "../../../../../../src/contract/postgres-notation.ts";

export type ParameterRecord = ParameterRecords["parameters"][number];

const UNITS: readonly Unit[] = ["B", "kB", "8kB", "MB", "ms", "s", "min"];

/** Why a value would be refused, in a sentence; null where it is fine, or where only the API can tell. */
export function refusalOf(parameter: ParameterRecord, text: string): string | null {
  switch (parameter.type) {
    case "bool":
      return parseBool(text) === null ? "Write on or off." : null;
    case "enum": {
      const { options = [] } = parameter;
      return options.includes(text.trim().toLowerCase()) ? null : `Choose one of ${options.join(", ")}.`;
    }
    case "integer":
    case "real":
      return refusalOfNumber(parameter, text);
    default:
      return null;
  }
}

/** Such as "64kB to 512MB, or -1"; null where there is no range. */
export function rangeWords({ min, max, special, options }: ParameterRecord): string | null {
  if (options) return options.join(", ");
  if (min === undefined || max === undefined) return null;
  return `${min} to ${max}${special === undefined ? "" : `, or ${special}`}`;
}

function refusalOfNumber(parameter: ParameterRecord, text: string): string | null {
  const { min, max, special, unit } = parameter;
  // A unit that this console does not know yet is for the API to judge.
  if (unit !== null && unitOf(unit) === undefined) return null;
  const amount = amountOf(parameter, text);
  if (amount === null) return `Write ${notationOf(parameter)}.`;
  if (min === undefined || max === undefined) return null;
  const [lowest, highest] = [amountOf(parameter, min), amountOf(parameter, max)];
  if (lowest === null || highest === null) return null;
  if (amount >= lowest && amount <= highest) return null;
  if (special !== undefined && amount === Number(special)) return null;
  return `Between ${min} and ${max}${special === undefined ? "" : `, or ${special}`}.`;
}

function amountOf({ type, unit }: ParameterRecord, text: string): number | null {
  const known = unitOf(unit);
  if (unit !== null && known === undefined) return null;
  return type === "integer" ? parseInteger(text, known) : parseReal(text, known);
}

function notationOf({ type, unit }: ParameterRecord): string {
  const known = unitOf(unit);
  if (known === undefined) return type === "integer" ? "a whole number" : "a number";
  const what = unitsOf(known).includes("kB") ? "an amount of memory" : "a time";
  const alone = known === "8kB" ? "pages of 8kB" : known;
  return `${what} in ${unitsOf(known).join(", ")}; a number alone counts ${alone}`;
}

function unitOf(unit: string | null): Unit | undefined {
  return UNITS.find((each) => each === unit);
}
