/** From the API's series to a line for each service. Pure. */
import type { SeriesRecords } from "../../../../src/client/index.ts";

/** Millicores, a value a minute; null: not measured. */
export type Line = readonly (number | null)[];

/** A service whose primary has changed has a series for each that led; in the minute of the change, the busier one counts. */
export function linesOf(series: SeriesRecords): Readonly<Record<string, Line>> {
  const lines: Record<string, (number | null)[]> = {};
  for (const { labels, data } of series) {
    const { service_id: id = "" } = labels;
    const line = (lines[id] ??= data.map(() => null));
    for (const [index, { value }] of data.entries())
      if (value !== null) line[index] = Math.max(line[index] ?? 0, value);
  }
  return lines;
}
