/** What is told of samples: series of one metric, the newest of all, and what stands in a record. */
import { type MetricName, metricPlace, type NodeRole, type SeriesFunction } from "../contract/metrics.ts";
import type { Store } from "./db.ts";
import { RESOLUTIONS, SAMPLE_SECONDS } from "./metric-samples.ts";

export interface SeriesQuery {
  readonly serviceIds: readonly string[];
  readonly name: MetricName;
  /** Seconds of the epoch; a multiple of the bucket. */
  readonly from: number;
  readonly to: number;
  readonly bucketSeconds: number;
  readonly fn: SeriesFunction;
  readonly node?: number;
  readonly role?: NodeRole;
}

/** A number of a node that holds for `widthSeconds` from `at`, in seconds of the epoch. */
export interface Measured {
  readonly serviceId: string;
  readonly node: number;
  readonly role: NodeRole;
  readonly at: number;
  readonly widthSeconds: number;
  readonly value: number;
}

const HOUR_S = 3_600;

/** Each part of the range from the finest that is kept of it, in buckets, or wider where nothing as fine is kept. */
export async function readSeries(store: Store, query: SeriesQuery, now: Date): Promise<readonly Measured[]> {
  const parts = await Promise.all(
    RESOLUTIONS.map(async (resolution, index) => {
      const finer = RESOLUTIONS[index - 1];
      const begin = keptSince(resolution.keptSeconds, now);
      const end = finer ? keptSince(finer.keptSeconds, now) : Infinity;
      const from = Math.max(query.from, begin);
      const to = Math.min(query.to, end);
      return from < to ? readPart(store, query, resolution.widthSeconds, from, to) : [];
    }),
  );
  return parts.toReversed().flat();
}

/** Where two resolutions meet, at a full hour: no roll-up reaches over it. */
function keptSince(keptSeconds: number, now: Date): number {
  return Math.ceil((now.getTime() / 1000 - keptSeconds) / HOUR_S) * HOUR_S;
}

async function readPart(
  { pool }: Store,
  query: SeriesQuery,
  widthSeconds: number,
  from: number,
  to: number,
): Promise<readonly Measured[]> {
  const { serviceIds, name, fn, node = null, role = null } = query;
  const width = Math.max(query.bucketSeconds, widthSeconds);
  const common = [serviceIds, metricPlace(name) + 1, from, to, width, node, role];
  const values = widthSeconds === SAMPLE_SECONDS ? common : [...common, widthSeconds];
  const text = widthSeconds === SAMPLE_SECONDS ? ofSamples(fn) : ofRollups(fn);
  const { rows } = await pool.query<SeriesRow>(text, values);
  return rows.map(({ service_id: serviceId, ...row }) => ({ serviceId, ...row, widthSeconds: width }));
}

interface SeriesRow {
  readonly service_id: string;
  readonly node: number;
  readonly role: NodeRole;
  readonly at: number;
  readonly value: number;
}

const SELECT = `
  select service_id, node, role, extract(epoch from date_bin(make_interval(secs => $5::int), at, to_timestamp(0)))::float8 as at`;
const WHERE = `
   where service_id = any($1::text[]) and at >= to_timestamp($3) and at < to_timestamp($4)
     and ($6::int is null or node = $6) and ($7::text is null or role = $7)`;
const GROUP = "group by 1, 2, 3, 4";

function ofSamples(fn: SeriesFunction): string {
  const value = `"values"[$2::int]`;
  const values = { avg: `avg(${value})`, min: `min(${value})`, max: `max(${value})`, last: last(value) };
  return `${SELECT}, (${values[fn]})::float8 as value from metric_samples ${WHERE} and ${value} is not null ${GROUP}`;
}

function ofRollups(fn: SeriesFunction): string {
  const value = `${fn}[$2::int]`;
  const values = {
    avg: `sum(${value} * samples) / sum(samples)`,
    min: `min(${value})`,
    max: `max(${value})`,
    last: last(value),
  };
  return `${SELECT}, (${values[fn]})::float8 as value from metric_rollups ${WHERE}
     and width_seconds = $8::int and ${value} is not null ${GROUP}`;
}

function last(value: string): string {
  return `(array_agg(${value} order by at desc))[1]`;
}

export interface NewestSample {
  readonly serviceId: string;
  readonly node: number;
  readonly role: NodeRole;
  readonly values: readonly (number | null)[];
}

/** What is older says nothing about now. */
export const FRESH_SECONDS = 60;

/** Of every node of these services that was sampled within the last minute, and when. */
export async function newestSamplesOf(
  { pool }: Store,
  serviceIds: readonly string[],
): Promise<readonly (NewestSample & { readonly at: Date })[]> {
  const { rows } = await pool.query<{
    service_id: string;
    node: number;
    role: NodeRole;
    values: (number | null)[];
    at: Date;
  }>(NEWEST_OF, [serviceIds, FRESH_SECONDS]);
  return rows.map(({ service_id: serviceId, ...row }) => ({ serviceId, ...row }));
}

const NEWEST_OF = `
  select distinct on (service_id, node) service_id, node, role, "values", at
    from metric_samples
   where service_id = any($1::text[]) and at > now() - make_interval(secs => $2)
   order by service_id, node, at desc`;

/** Of every node of a project's services that was sampled within the last minute. */
export async function newestSamples({ pool }: Store, projectId: string): Promise<readonly NewestSample[]> {
  const { rows } = await pool.query<{
    service_id: string;
    node: number;
    role: NodeRole;
    values: (number | null)[];
  }>(NEWEST, [projectId, FRESH_SECONDS]);
  return rows.map(({ service_id, node, role, values }) => ({ serviceId: service_id, node, role, values }));
}

const NEWEST = `
  select distinct on (services.id, node) services.id as service_id, node, role, "values"
    from services join metric_samples on metric_samples.service_id = services.id
   where services.project_id = $1 and at > now() - make_interval(secs => $2)
   order by services.id, node, at desc`;
