/** From what was measured to one point a bucket. Pure; times are seconds of the epoch. */
import { ApiError } from "../contract/errors.ts";
import {
  isMetricName,
  LEAST_BUCKET_SECONDS,
  METRICS,
  type MetricName,
  type MetricSeries,
  type MetricSeriesBody,
  MOST_POINTS,
} from "../contract/metrics.ts";
import type { Measured, SeriesQuery } from "../store/metric-series.ts";
import { momentOf } from "./moment.ts";
import { nodeName, ordinalOf } from "./node-name.ts";

export interface Buckets {
  /** Multiples of the width. */
  readonly from: number;
  readonly to: number;
  readonly width: number;
}

const DAY_S = 86_400;
/** Widths that people read easily, of which the first is taken that gives no more points than are usual. */
const USUAL_WIDTHS = [60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200, DAY_S];
const POINTS: PointBounds = { most: MOST_POINTS, usual: 400 };

export interface PointBounds {
  readonly most: number;
  /** Where no width was asked for. */
  readonly usual: number;
}

/** What a request means, of whichever services. Throws INVALID_REQUEST. */
export function askedSeries(
  body: MetricSeriesBody,
  points?: PointBounds,
): { readonly buckets: Buckets; readonly asked: Omit<SeriesQuery, "serviceIds"> } {
  const { fn = "avg", filters = {} } = body;
  const name = askedMetric(body.name);
  const [from, to] = [momentOf("from", body.from) / 1000, momentOf("to", body.to) / 1000];
  const buckets = bucketsOf(from, to, body.bucket_seconds, points);
  const node = filters.node === undefined ? null : ordinalOf(filters.node);
  const asked = {
    name,
    from: buckets.from,
    to: buckets.to,
    bucketSeconds: buckets.width,
    fn,
    ...(node === null ? {} : { node }),
    ...(filters.role === undefined ? {} : { role: filters.role }),
  };
  return { buckets, asked };
}

/** Throws INVALID_REQUEST where there is no such metric. */
function askedMetric(name: string): MetricName {
  if (isMetricName(name)) return name;
  const names = METRICS.map((one) => one.name);
  throw new ApiError("INVALID_REQUEST", `name must be one of ${names.join(", ")}`);
}

/** Throws INVALID_REQUEST where the range is none, or has too many points. */
function bucketsOf(from: number, to: number, asked: number | undefined, points = POINTS): Buckets {
  if (to <= from) throw new ApiError("INVALID_REQUEST", "to must be after from");
  const width = asked ?? usualWidth(to - from, points.usual);
  const begin = Math.floor(from / width) * width;
  const end = Math.ceil(to / width) * width;
  if ((end - begin) / width > points.most) {
    // At both ends a bucket may be there in part.
    const least = Math.max(LEAST_BUCKET_SECONDS, Math.ceil((to - from) / (points.most - 2)));
    throw new ApiError(
      "INVALID_REQUEST",
      `bucket_seconds must be at least ${least} for that range: a series has at most ${points.most} points`,
    );
  }
  return { from: begin, to: end, width };
}

function usualWidth(seconds: number, points: number): number {
  const least = seconds / points;
  return USUAL_WIDTHS.find((width) => width >= least) ?? Math.ceil(least / DAY_S) * DAY_S;
}

/** A series for each node and role that was seen. What was measured over longer than a bucket is told in each that it covers. */
export function seriesOf(measured: readonly Measured[], buckets: Buckets): MetricSeries[] {
  const { from, to, width } = buckets;
  const grouped = Map.groupBy(measured, ({ node, role }) => `${String(node).padStart(4, "0")} ${role}`);
  return [...grouped]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, ofOne]) => {
      const [first] = ofOne;
      if (!first) return [];
      const values = new Map<number, number>();
      for (const { at, widthSeconds, value } of ofOne) {
        const begin = Math.ceil((at - width / 2) / width) * width;
        const end = Math.min(at + widthSeconds - width / 2, to);
        for (let time = Math.max(begin, from); time < end; time += width) values.set(time, rounded(value));
      }
      return [{ labels: { node: nodeName(first.node), role: first.role }, data: points(values, buckets) }];
    });
}

/** The same of several services, each told by its id. */
export function seriesOfEach(measured: readonly Measured[], buckets: Buckets): MetricSeries[] {
  return [...Map.groupBy(measured, ({ serviceId }) => serviceId)].flatMap(([service_id, ofOne]) =>
    seriesOf(ofOne, buckets).map(({ labels, data }) => ({ labels: { service_id, ...labels }, data })),
  );
}

/** Samples are kept with this many digits. */
function rounded(value: number): number {
  return Number(value.toPrecision(7));
}

function points(values: ReadonlyMap<number, number>, { from, to, width }: Buckets): MetricSeries["data"] {
  return Array.from({ length: (to - from) / width }, (_, index) => {
    const time = from + index * width;
    return { time: new Date(time * 1000).toISOString(), value: values.get(time) ?? null };
  });
}
