/** The CPU of an hour in words, and how high its line is drawn. Pure. */
import { cpu } from "../../ui/format.ts";
import type { Line } from "./cpu-lines.ts";

/** Of a limit; below this, a line is not blown up to look like much. */
const LEAST_SHARE = 0.1;
const LEAST_MILLIS = 100;

export function cpuInWords(line: Line, limitMillis: number | undefined) {
  const known = line.filter((value) => value !== null);
  const most = Math.max(0, ...known);
  const now = lastOf(line) ?? 0;
  const words = (value: number) => inWords(value, limitMillis);
  const least = limitMillis === undefined ? LEAST_MILLIS : limitMillis * LEAST_SHARE;
  return {
    now: words(now),
    label: `CPU of the last hour: ${words(now)} at the end, ${words(most)} at most`,
    ceiling: Math.max(most, least),
  };
}

/** The newest that is known, where that is no more than a few minutes old. */
export function lastOf(line: Line): number | null {
  return line.slice(-3).findLast((value) => value !== null) ?? null;
}

/** A share of the limit, or hundredths of a core where there is none. */
export function inWords(millis: number, limitMillis: number | undefined): string {
  if (limitMillis === undefined) return cpu(Math.round(millis / 10) * 10);
  const share = (millis / limitMillis) * 100;
  return share > 0 && share < 1 ? "< 1 %" : `${Math.round(share)} %`;
}
