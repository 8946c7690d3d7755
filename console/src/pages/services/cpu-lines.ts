/** From the API's series to a line for each service. Pure. */
import type { SeriesRecords } from "../../../../src/client/index.ts";

/** Millicores, a value a minute; null: not measured. Empty: nothing was measured in all the time. */
export type Line = readonly (number | null)[];

/** A service whose primary has changed has a series for each that led; in the minute of the change, the busier one counts. */
export function linesOf(asked: readonly string[], series: SeriesRecords): Readonly<Record<string, Line>> {
  const lines: Record<string, Line> = Object.fromEntries(asked.map((id) => [id, []]));
  for (const { labels, data } of series) {
    const { service_id: id = "" } = labels;
    const others = lines[id] ?? [];
    lines[id] = data.map(({ value }, index) => busier(value, others[index] ?? null));
  }
  return lines;
}

function busier(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}
