/** The newest numbers of series. Pure. */
import type { SeriesRecords } from "../../../src/client/index.ts";

/** What was measured last of a node, under whichever role; null: nothing in this time. */
export function newestOf(series: SeriesRecords | undefined, node: string): number | null {
  let newest: { readonly time: string; readonly value: number } | null = null;
  for (const { labels, data } of series ?? []) {
    if (labels["node"] !== node) continue;
    const last = data.findLast(({ value }) => value !== null);
    if (last && last.value !== null && (!newest || last.time >= newest.time))
      newest = { time: last.time, value: last.value };
  }
  return newest?.value ?? null;
}
