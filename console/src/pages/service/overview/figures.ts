/** How a number of the whole service went: that of whoever was primary, or of the busiest node of a set. Pure. */
import type { SeriesRecords } from "../../../../../src/client/index.ts";

export interface Figure {
  /** One a bucket; null: nothing is known of it. */
  readonly values: readonly (number | null)[];
  /** Of the last few minutes; null: nothing was measured then. */
  readonly now: number | null;
}

/** So many buckets at the end are told as what is now: the last is still filling. */
const FRESH = 4;

export function figureOf(series: SeriesRecords, role: "primary" | "replica"): Figure {
  const byTime = new Map<string, number | null>();
  for (const { labels, data } of series) {
    // Every series has all times; those of another role give none of their values.
    const counts = labels["role"] === role;
    for (const { time, value } of data)
      byTime.set(time, counts ? larger(byTime.get(time) ?? null, value) : (byTime.get(time) ?? null));
  }
  const values = [...byTime].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
  return { values, now: values.slice(-FRESH).findLast((value) => value !== null) ?? null };
}

function larger(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.max(one, other);
}
