/** From series as the API tells them to the lines of a chart. Pure; times are seconds of the epoch. */
import type { SeriesRecords } from "../../../../src/client/index.ts";

export interface ChartLine {
  /** The node's name. */
  readonly node: string;
  /** Its newest role that is known. */
  readonly role: string | null;
  /** One a time; null: a gap. */
  readonly values: readonly (number | null)[];
  /** What it was then. */
  readonly roles: readonly (string | null)[];
}

export interface ChartData {
  readonly times: readonly number[];
  /** In the order of the nodes. */
  readonly lines: readonly ChartLine[];
}

/**
 * One line a node, whichever roles it had: the API tells a series for each role.
 *
 * @param only the name of a node; left out: all
 */
export function chartData(series: SeriesRecords, only?: string): ChartData {
  const wanted = series.filter(({ labels }) => only === undefined || labels["node"] === only);
  const times = [...new Set(wanted.flatMap(({ data }) => data.map(({ time }) => Date.parse(time) / 1_000)))];
  times.sort((a, b) => a - b);
  const nodes = Map.groupBy(wanted, ({ labels }) => labels["node"] ?? "");
  const names = [...nodes.keys()].toSorted((a, b) => placeOf(a) - placeOf(b));
  return { times, lines: names.map((node) => lineOf(node, nodes.get(node) ?? [], times)) };
}

function lineOf(node: string, series: SeriesRecords, times: readonly number[]): ChartLine {
  const known = new Map<number, { readonly value: number; readonly role: string | null }>();
  // Where a node had both roles in one bucket, it is told as the primary.
  for (const { labels, data } of series.toSorted((one) => (one.labels["role"] === "primary" ? 1 : -1)))
    for (const { time, value } of data)
      if (value !== null) known.set(Date.parse(time) / 1_000, { value, role: labels["role"] ?? null });
  const found = times.map((time) => known.get(time) ?? null);
  return {
    node,
    role: found.findLast((each) => each !== null)?.role ?? null,
    values: found.map((each) => each?.value ?? null),
    roles: found.map((each) => each?.role ?? null),
  };
}

/** The number at the end of a node's name. */
export function placeOf(node: string): number {
  return Number(/\d+$/.exec(node)?.[0] ?? 0);
}

export function highestOf({ lines }: ChartData): number | null {
  const known = lines.flatMap(({ values }) => values.filter((value) => value !== null));
  return known.length === 0 ? null : known.reduce((one, other) => Math.max(one, other));
}

/** The part of a limit above which the chart reaches up to it: else the lines would lie on the ground. */
const NEAR = 0.35;
/** The least part of a limit that a chart shows: less than that is noise. */
const LEAST = 0.1;
const MARGIN = 1.12;

/** What stands at the top of the chart, in the unit of the values. */
export function topOf(highest: number | null, limit: number | null): number {
  if (limit !== null && (highest ?? 0) >= limit * NEAR) return Math.max(limit, highest ?? 0) * MARGIN;
  if (limit !== null) return Math.max((highest ?? 0) * MARGIN, limit * LEAST);
  return highest === null || highest <= 0 ? 1 : highest * MARGIN;
}

/** Values without neighbours, which a line alone would not show. */
export function lonely(values: readonly (number | null | undefined)[]): number[] {
  return values.flatMap((value, index) =>
    typeof value === "number" &&
    typeof values[index - 1] !== "number" &&
    typeof values[index + 1] !== "number"
      ? [index]
      : [],
  );
}
