/**
 * How PostgreSQL reads the values of its settings and how SHOW prints them, in its base units (src/backend/utils/misc/guc.c).
 * What is wanted and what is observed can only be compared as text if both are written in this one way.
 */

/** The unit in which PostgreSQL counts a setting, as pg_settings calls it. */
export type Unit = "B" | "kB" | "8kB" | "MB" | "ms" | "s" | "min";

/** Largest first, in bytes. */
const MEMORY: readonly (readonly [string, number])[] = [
  ["TB", 1024 ** 4],
  ["GB", 1024 ** 3],
  ["MB", 1024 ** 2],
  ["kB", 1024],
  ["B", 1],
];

/** Largest first, in microseconds. */
const TIME: readonly (readonly [string, number])[] = [
  ["d", 86_400_000_000],
  ["h", 3_600_000_000],
  ["min", 60_000_000],
  ["s", 1_000_000],
  ["ms", 1_000],
  ["us", 1],
];

const BASE: Readonly<Record<Unit, { readonly scale: typeof MEMORY; readonly size: number }>> = {
  B: { scale: MEMORY, size: 1 },
  kB: { scale: MEMORY, size: 1024 },
  "8kB": { scale: MEMORY, size: 8192 },
  MB: { scale: MEMORY, size: 1024 ** 2 },
  ms: { scale: TIME, size: 1_000 },
  s: { scale: TIME, size: 1_000_000 },
  min: { scale: TIME, size: 60_000_000 },
};

/** Digits that show of a number that is no integer. */
const SIGNIFICANT_DIGITS = 6;

/** Units that a value may be written with, the smallest first. */
export function unitsOf(unit: Unit): readonly string[] {
  return BASE[unit].scale.map(([name]) => name).toReversed();
}

/** As a whole number of base units, rounded like PostgreSQL rounds; null for what is no number, or has a strange unit. */
export function parseInteger(text: string, unit?: Unit): number | null {
  const amount = parseAmount(text, unit);
  return amount === null ? null : roundHalfEven(amount);
}

/** In base units, with as many digits as PostgreSQL prints. */
export function parseReal(text: string, unit?: Unit): number | null {
  const amount = parseAmount(text, unit);
  return amount === null ? null : Number(amount.toPrecision(SIGNIFICANT_DIGITS));
}

/** In the largest unit that divides it evenly; zero and what is below, such as -1 for "off", without one. */
export function printInteger(amount: number, unit?: Unit): string {
  if (unit === undefined || amount <= 0) return String(amount);
  const { scale, size } = BASE[unit];
  const [name, step] = scale.find(([, each]) => each <= size || (amount * size) % each === 0) ?? [unit, size];
  return `${Math.round((amount * size) / step)}${name}`;
}

export function printReal(amount: number, unit?: Unit): string {
  if (unit === undefined || amount <= 0) return general(amount);
  const { scale, size } = BASE[unit];
  const fits = (each: number) => Number.isInteger(Number(((amount * size) / each).toPrecision(12)));
  const [name, step] = scale.find(([, each]) => fits(each)) ?? scale.at(-1) ?? [unit, size];
  return `${general((amount * size) / step)}${name}`;
}

/** null for what is neither. Words may be shortened as long as they are clear. */
export function parseBool(text: string): boolean | null {
  const word = text.trim().toLowerCase();
  if (word === "") return null;
  if ("true".startsWith(word) || "yes".startsWith(word) || word === "on" || word === "1") return true;
  if ("false".startsWith(word) || "no".startsWith(word) || word === "of" || word === "off" || word === "0") {
    return false;
  }
  return null;
}

/**
 * Decimal numbers alone: PostgreSQL takes 0x10 and reads 010 as eight, which is hardly ever meant.
 * A fraction of a unit is rounded to the next smaller one, so that 30.1GB is 30822MB.
 */
function parseAmount(text: string, unit?: Unit): number | null {
  const match = /^([+-]?(?:0|[1-9]\d*)?(?:\.\d*)?(?:[eE][+-]?\d+)?)\s*([A-Za-z]*)$/.exec(text.trim());
  if (!match) return null;
  const [, digits = "", suffix = ""] = match;
  const amount = digits === "" ? Number.NaN : Number(digits);
  if (!Number.isFinite(amount)) return null;
  if (suffix === "") return amount;
  if (unit === undefined) return null;
  const { scale, size } = BASE[unit];
  const place = scale.findIndex(([name]) => name === suffix);
  const step = scale[place]?.[1];
  if (step === undefined) return null;
  const smaller = scale[place + 1]?.[1];
  const whole = smaller === undefined ? amount * step : roundHalfEven((amount * step) / smaller) * smaller;
  return whole / size;
}

function roundHalfEven(amount: number): number {
  const below = Math.floor(amount);
  const rest = amount - below;
  if (rest === 0.5) return below % 2 === 0 ? below : below + 1;
  return rest < 0.5 ? below : below + 1;
}

/** C's %g: six digits, no zeros at the end, an exponent only for what is very large or very small. */
function general(amount: number): string {
  if (amount === 0) return "0";
  const [mantissa = "", exponent = "0"] = amount.toExponential(SIGNIFICANT_DIGITS - 1).split("e");
  const power = Number(exponent);
  if (power >= -4 && power < SIGNIFICANT_DIGITS)
    return withoutZeros(amount.toFixed(SIGNIFICANT_DIGITS - 1 - power));
  const sign = power < 0 ? "-" : "+";
  return `${withoutZeros(mantissa)}e${sign}${String(Math.abs(power)).padStart(2, "0")}`;
}

function withoutZeros(digits: string): string {
  return digits.includes(".") ? digits.replace(/\.?0+$/, "") : digits;
}
