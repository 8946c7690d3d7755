/** Which time numbers are told of: the last hours until now, or between two moments. Pure. */

export type TimeRange =
  | { readonly kind: "last"; readonly seconds: number }
  | { readonly kind: "between"; readonly from: string; readonly to: string };

export const LAST_HOUR: TimeRange = { kind: "last", seconds: 3_600 };

/** Samples come this often. */
const SAMPLED_EVERY_S = 15;
/** Points of a chart are at most so many: no more often than one comes is there anything new. */
const POINTS = 400;

/** @param now milliseconds */
export function boundsOf(range: TimeRange, now: number): { readonly from: string; readonly to: string } {
  if (range.kind === "between") return { from: range.from, to: range.to };
  return {
    from: new Date(now - range.seconds * 1_000).toISOString(),
    to: new Date(now).toISOString(),
  };
}

/** After how many milliseconds there may be something new; false: never. */
export function refreshEvery(range: TimeRange): number | false {
  if (range.kind === "between") return false;
  return Math.max(SAMPLED_EVERY_S, Math.floor(range.seconds / POINTS)) * 1_000;
}

/**
 * What stands in a field of the browser for date and time, in the viewer's zone; null: no moment.
 *
 * @param local such as 2026-11-21T09:30
 */
export function momentFrom(local: string): string | null {
  const time = Date.parse(local);
  return local === "" || !Number.isFinite(time) ? null : new Date(time).toISOString();
}
