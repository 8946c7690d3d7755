/** Amounts as PostgreSQL prints them, for people. Pure. */

const UNITS = ["kB", "MB", "GB", "TB"];
const STEP = 1024;

/** "512MB" is 512 MB, and "5242kB" is 5.1 MB. */
export function amount(printed: string): string {
  const [, digits, unit = ""] = /^(\d+)(kB|MB|GB|TB)$/.exec(printed) ?? [];
  if (digits === undefined) return printed;
  let value = Number(digits);
  let place = UNITS.indexOf(unit);
  while (value >= STEP && place < UNITS.length - 1) {
    value /= STEP;
    place += 1;
  }
  return `${Math.round(value * 10) / 10} ${UNITS[place]}`;
}
