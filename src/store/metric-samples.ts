/**
 * Samples of services' nodes as the sampler writes them, and what becomes of them with time: roll-ups over five minutes
 * and over an hour, and their end. Everything here can be cut off anywhere and repeated.
 */
import { METRICS, metricPlace, type NodeRole } from "../contract/metrics.ts";
import type { Store } from "./db.ts";

export interface NodeSample {
  readonly serviceId: string;
  /** The ordinal. */
  readonly node: number;
  readonly role: NodeRole;
  readonly at: Date;
  /** By the places of the contract's list; null: not known. */
  readonly values: readonly (number | null)[];
}

const MIB = 1024 ** 2;
const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;

/** Between two samples of a node. */
export const SAMPLE_SECONDS = 10;

/** What is kept, finest first. What is older than `keptSeconds` is read from the next one. */
export const RESOLUTIONS = [
  { widthSeconds: SAMPLE_SECONDS, keptSeconds: DAY_S },
  { widthSeconds: 5 * MINUTE_S, keptSeconds: 31 * DAY_S },
  { widthSeconds: HOUR_S, keptSeconds: 366 * DAY_S },
] as const;
const [SAMPLES, FIVE_MINUTES, HOUR] = RESOLUTIONS;

/** A query that began before something is removed still finds it. */
const REMOVED_LATER_S = HOUR_S;
/** No sample comes later than this after its time. */
const COMPLETE_AFTER_S = 30;
/** Rolled up in one transaction: so much as fits well into the time that a statement has. */
const ROLLED_AT_ONCE = 3;
const REMOVED_AT_ONCE = 10_000;
/** Statements of each kind in one upkeep; what is left is for the next. */
const MOST_ROUNDS = 100;

/** One batch. A sample that is there already stays as it is. */
export async function writeSamples({ pool }: Store, samples: readonly NodeSample[]): Promise<void> {
  if (samples.length === 0) return;
  const rows = samples.map(({ serviceId, node, role, at, values }) => ({
    service_id: serviceId,
    node,
    role,
    at,
    values,
    milli_cpu: whole(values[CPU], 1),
    memory_mb: whole(values[MEMORY], MIB),
    storage_mb: whole(values[STORAGE], MIB),
  }));
  await pool.query({ name: "write-samples", text: WRITE, values: [JSON.stringify(rows)] });
}

const CPU = metricPlace("cpu_millis");
const MEMORY = metricPlace("memory_bytes");
const STORAGE = metricPlace("storage_bytes");

function whole(value: number | null | undefined, unit: number): number | null {
  return value === null || value === undefined ? null : Math.round(value / unit);
}

const WRITE = `
  with given as (
    select * from jsonb_to_recordset($1::jsonb) as sample (
      service_id text, node smallint, role text, at timestamptz, "values" real[],
      milli_cpu integer, memory_mb integer, storage_mb integer)
  ), written as (
    insert into metric_samples (service_id, node, role, at, "values")
      select service_id, node, role, at, "values" from given
      on conflict do nothing
  )
  insert into sampled_services as known (service_id, sampled_at, primary_at, milli_cpu, memory_mb, storage_mb)
    select distinct on (service_id) service_id, at,
           case when role = 'primary' then at end, milli_cpu, memory_mb, storage_mb
      from given order by service_id, at desc, role = 'primary' desc
    on conflict (service_id) do update set
      sampled_at = excluded.sampled_at,
      primary_at = coalesce(excluded.primary_at, known.primary_at),
      milli_cpu = case when excluded.primary_at is null then known.milli_cpu else excluded.milli_cpu end,
      memory_mb = case when excluded.primary_at is null then known.memory_mb else excluded.memory_mb end,
      storage_mb = case when excluded.primary_at is null then known.storage_mb else excluded.storage_mb end`;

/** Rolls up what is complete, and removes what is too old, as far as it gets in a bounded number of statements. */
export async function keepMetrics(store: Store, now: Date): Promise<void> {
  await rollUp(store, FIVE_MINUTES, SAMPLES, now);
  await rollUp(store, HOUR, FIVE_MINUTES, now);
  await removeOld(store, now);
}

interface Resolution {
  readonly widthSeconds: number;
  readonly keptSeconds: number;
}

async function rollUp(store: Store, into: Resolution, from: Resolution, now: Date): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    if (!(await rollUpOnce(store, into, from, now))) return;
  }
}

/** Returns whether there is more. Buckets and the note of how far they have got are one transaction. */
async function rollUpOnce({ pool }: Store, into: Resolution, from: Resolution, now: Date): Promise<boolean> {
  const width = into.widthSeconds;
  const complete = Math.floor((seconds(now) - COMPLETE_AFTER_S) / width) * width;
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query("begin");
    const noted = await client.query<{ done: number }>(PROGRESS, [
      width,
      // Where nothing was ever rolled up, sampling has begun only a moment ago.
      firstBucket(complete, width, SAMPLES),
    ]);
    // For the hour, only what five minutes have got to is complete.
    const limit = Math.min(complete, await doneUntil(client, from));
    const begin = Math.max(noted.rows[0]?.done ?? limit, firstBucket(complete, width, from));
    const end = Math.min(Math.floor(limit / width) * width, begin + width * ROLLED_AT_ONCE);
    if (end > begin) {
      const text = from.widthSeconds === SAMPLE_SECONDS ? ROLL_UP_SAMPLES : ROLL_UP_ROLLUPS;
      const range = [width, new Date(begin * 1000), new Date(end * 1000)];
      await client.query(text, from.widthSeconds === SAMPLE_SECONDS ? range : [...range, from.widthSeconds]);
      await client.query(NOTE, [width, new Date(end * 1000)]);
    }
    await client.query("commit");
    return end > begin && end < limit;
  } catch (error) {
    broken = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    // A connection in the middle of a transaction is not given to anybody else.
    client.release(broken);
  }
}

/** The first bucket that can still be made: what it is made of is removed after its time. */
function firstBucket(complete: number, width: number, from: Resolution): number {
  return Math.floor((complete - from.keptSeconds) / width) * width;
}

interface Queries {
  query(text: string, values: readonly unknown[]): Promise<{ rows: readonly { done: number }[] }>;
}

/** Seconds of the epoch. */
async function doneUntil(client: Queries, { widthSeconds }: Resolution): Promise<number> {
  if (widthSeconds === SAMPLE_SECONDS) return Infinity;
  const { rows } = await client.query(DONE, [widthSeconds]);
  return rows[0]?.done ?? 0;
}

const DONE =
  "select extract(epoch from done_until)::float8 as done from metric_progress where width_seconds = $1";

/** Locks the note, so that two processes do not roll up the same. */
const PROGRESS = `
  insert into metric_progress (width_seconds, done_until) values ($1, to_timestamp($2))
    on conflict (width_seconds) do update set done_until = metric_progress.done_until
    returning extract(epoch from done_until)::float8 as done`;

const NOTE = "update metric_progress set done_until = $2 where width_seconds = $1";

/** An array with an expression for every metric, in their places. */
function each(expression: (place: number) => string): string {
  return `array[${METRICS.map((_, index) => expression(index + 1)).join(", ")}]::real[]`;
}

const GROUP = `
  group by service_id, bucket, node, role
  on conflict (service_id, width_seconds, at, node, role) do update set
    samples = excluded.samples, avg = excluded.avg, min = excluded.min, max = excluded.max, last = excluded.last`;

const INSERT = `
  insert into metric_rollups (width_seconds, service_id, at, node, role, samples, avg, min, max, last)
  select $1::int, service_id, date_bin(make_interval(secs => $1::int), at, to_timestamp(0)) as bucket, node, role,`;

const ROLL_UP_SAMPLES = `${INSERT} count(*),
         ${each((place) => `avg("values"[${place}])`)},
         ${each((place) => `min("values"[${place}])`)},
         ${each((place) => `max("values"[${place}])`)},
         (array_agg("values"::text order by at desc))[1]::real[]
    from sampled_services join metric_samples using (service_id)
   where at >= $2::timestamptz and at < $3::timestamptz ${GROUP}`;

const ROLL_UP_ROLLUPS = `${INSERT} sum(samples),
         ${each((place) => `sum(avg[${place}] * samples) / sum(samples) filter (where avg[${place}] is not null)`)},
         ${each((place) => `min(min[${place}])`)},
         ${each((place) => `max(max[${place}])`)},
         (array_agg(last::text order by at desc))[1]::real[]
    from sampled_services join metric_rollups as part using (service_id)
   where width_seconds = $4::int and at >= $2::timestamptz and at < $3::timestamptz ${GROUP}`;

/** A service that is gone is told to nobody any more: what was kept of it goes after the shortest time. */
async function removeOld({ pool }: Store, now: Date): Promise<void> {
  const before = ({ keptSeconds }: Resolution) =>
    new Date((seconds(now) - keptSeconds - REMOVED_LATER_S) * 1000);
  const repeat = async (text: string, values: readonly unknown[]): Promise<boolean> => {
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const { rowCount } = await pool.query(text, [...values, REMOVED_AT_ONCE]);
      if ((rowCount ?? 0) < REMOVED_AT_ONCE) return true;
    }
    return false;
  };
  const gone = before(SAMPLES);
  await repeat(REMOVE_SAMPLES, [before(SAMPLES), gone]);
  await repeat(REMOVE_ROLLUPS, [FIVE_MINUTES.widthSeconds, before(FIVE_MINUTES), gone]);
  const rest = await repeat(REMOVE_ROLLUPS, [HOUR.widthSeconds, before(HOUR), gone]);
  if (rest) await pool.query(REMOVE_GONE, [gone]);
}

/** Until when a service's rows are removed: all of them, where it is gone and was not sampled for long enough. */
const removedUntil = (before: string, gone: string) => `
  case when sampled_at < ${gone} and not exists (select from services where services.id = sampled_services.service_id)
       then 'infinity' else ${before}::timestamptz end`;

const REMOVE_SAMPLES = `
  delete from metric_samples where ctid = any(array(
    select old.ctid from sampled_services cross join lateral (
      select metric_samples.ctid from metric_samples
       where metric_samples.service_id = sampled_services.service_id
         and at < ${removedUntil("$1", "$2")} limit $3::int) as old
     limit $3::int))`;

const REMOVE_ROLLUPS = `
  delete from metric_rollups where ctid = any(array(
    select old.ctid from sampled_services cross join lateral (
      select metric_rollups.ctid from metric_rollups
       where metric_rollups.service_id = sampled_services.service_id and width_seconds = $1::int
         and at < ${removedUntil("$2", "$3")} limit $4::int) as old
     limit $4::int))`;

const REMOVE_GONE = `
  delete from sampled_services where sampled_at < $1
    and not exists (select from services where services.id = sampled_services.service_id)
    and not exists (select from metric_samples where metric_samples.service_id = sampled_services.service_id)
    and not exists (select from metric_rollups where metric_rollups.service_id = sampled_services.service_id)`;

function seconds(at: Date): number {
  return at.getTime() / 1000;
}
