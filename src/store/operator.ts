/** What an operator is told, over all projects. Each answer is bounded, and takes a few milliseconds for a thousand services. */

import type { Condition } from "../contract/conditions.ts";
import { type MetricName, metricPlace } from "../contract/metrics.ts";
import { type JobState, MOST_TOLD } from "../contract/operator.ts";
import type { ServiceStatus } from "../contract/service.ts";
import type { Store } from "./db.ts";
import { SAMPLE_SECONDS } from "./metric-samples.ts";
import { type Room, regionsByRoom } from "./regions.ts";

export const FAILURE_HOURS = 24;
/** Shorter than what counts as fresh elsewhere: the sum over all nodes of an installation reads them all. */
const SAMPLED_WITHIN_SECONDS = 2.5 * SAMPLE_SECONDS;

export interface RegionNews extends Room {
  readonly reportedAt: Date;
  /** Why its platform does not answer; null: it does. */
  readonly problem: { readonly message: string; readonly since: Date } | null;
  readonly services: number;
  readonly members: number;
  readonly sparePorts: number;
  /** null: nothing was sampled lately. */
  readonly use: RegionUse | null;
}

export interface RegionUse {
  readonly cpuMillis: number;
  readonly memoryBytes: number;
  readonly storageBytes: number;
  /** null: no node has told of its disk. */
  readonly disk: { readonly totalBytes: number; readonly availableBytes: number } | null;
}

/** By their codes. */
export async function regionNews({ db, pool }: Store): Promise<readonly RegionNews[]> {
  const [rooms, { rows: regions }, { rows: uses }] = await Promise.all([
    regionsByRoom(db),
    pool.query<RegionRow>(REGIONS),
    pool.query<UseRow>(USE, [SAMPLED_WITHIN_SECONDS]),
  ]);
  return regions.flatMap((region) => {
    const room = rooms.find(({ code }) => code === region.code);
    const use = uses.find(({ code }) => code === region.code);
    if (!room) return [];
    return [
      {
        ...room,
        reportedAt: region.reported_at,
        problem:
          region.problem === null || region.problem_since === null
            ? null
            : { message: region.problem, since: region.problem_since },
        services: region.services,
        members: region.members,
        sparePorts: region.spare_ports,
        use: use ? useOf(use) : null,
      },
    ];
  });
}

interface RegionRow {
  readonly code: string;
  readonly reported_at: Date;
  readonly problem: string | null;
  readonly problem_since: Date | null;
  readonly services: number;
  readonly members: number;
  readonly spare_ports: number;
}

const REGIONS = `
  select code, reported_at, problem, problem_since,
         (select count(*) from services where region_code = code and presence = 'present') as services,
         (select coalesce(sum(1 + replica_count), 0) from services
           where region_code = code and presence = 'present') as members,
         (select count(*) from ports where region_code = code and service_id is null) as spare_ports
    from regions order by code`;

interface UseRow {
  readonly code: string;
  readonly cpu_millis: number | null;
  readonly memory_bytes: number | null;
  readonly storage_bytes: number | null;
  readonly disk_total_bytes: number | null;
  readonly disk_available_bytes: number | null;
}

/** A region is one machine, so that its nodes tell of the same disk. */
const USE = `
  select code,
         sum(${value("cpu_millis")})::float8 as cpu_millis,
         sum(${value("memory_bytes")})::float8 as memory_bytes,
         sum(${value("storage_bytes")})::float8 as storage_bytes,
         max(${value("disk_total_bytes")})::float8 as disk_total_bytes,
         min(${value("disk_available_bytes")})::float8 as disk_available_bytes
    from (select distinct on (services.id, node) services.region_code as code, "values"
            from services join metric_samples on metric_samples.service_id = services.id
           where at > now() - make_interval(secs => $1)
           order by services.id, node, at desc) as newest
   group by code`;

function value(name: MetricName): string {
  return `"values"[${metricPlace(name) + 1}]`;
}

function useOf(row: UseRow): RegionUse {
  const { disk_total_bytes: totalBytes, disk_available_bytes: availableBytes } = row;
  return {
    cpuMillis: row.cpu_millis ?? 0,
    memoryBytes: row.memory_bytes ?? 0,
    storageBytes: row.storage_bytes ?? 0,
    disk: totalBytes === null || availableBytes === null ? null : { totalBytes, availableBytes },
  };
}

export interface Job {
  readonly service_id: string;
  readonly name: string;
  readonly project_id: string;
  readonly project_name: string;
  readonly region_code: string;
  readonly status: ServiceStatus;
  readonly status_reason: string;
  readonly state: JobState;
  /** What the last look has told of what is left to do; null: nobody has looked yet. */
  readonly settled: Condition | null;
  readonly since: Date;
  readonly waiting_reason: string | null;
  readonly waiting_since: Date | null;
  readonly attempts: number;
  /** null: it is being looked at. */
  readonly next_look: Date | null;
  readonly lease_holder: string | null;
  readonly lease_expires_at: Date | null;
}

export interface Jobs {
  readonly byState: readonly { readonly state: JobState; readonly count: number }[];
  /** Those that have waited longest, at most as many as are told. */
  readonly first: readonly Job[];
}

/** Services that have something left to do. */
export async function jobs({ pool }: Store): Promise<Jobs> {
  const [counts, first] = await Promise.all([
    pool.query<{ state: JobState; count: number }>(
      `${JOBS} select state, count(*) as count from jobs group by 1`,
    ),
    pool.query<Job>(`${JOBS}
      select jobs.*, projects.name as project_name from jobs join projects on projects.id = project_id
       order by since, service_id limit ${MOST_TOLD}`),
  ]);
  return { byState: counts.rows, first: first.rows };
}

/** The Settled condition tells what the last look has found; a change since then is in the generation alone. */
const JOBS = `
  with jobs as (
    select services.id as service_id, services.name, project_id, region_code, services.status, status_reason,
           settled, waiting_reason, waiting_since, attempts, lease_holder, lease_expires_at,
           nullif(due_at, 'infinity') as next_look,
           case
             when settled is null or settled ->> 'status' = 'True' then 'queued'
             when settled ->> 'status' = 'Unknown' then 'unreachable'
             when settled ->> 'reason' = 'Waiting' then 'waiting'
             when settled ->> 'reason' = 'Overdue' then 'overdue'
             when settled ->> 'reason' in ('StepFailed', 'NoProgress') then 'failing'
             else 'working'
           end as state,
           case
             when settled ->> 'status' <> 'True' then (settled ->> 'since')::timestamptz
             else coalesce(
               (select at from events where events.service_id = services.id order by events.id desc limit 1),
               services.created_at)
           end as since
      from services
      left join lateral (
        select condition as settled from jsonb_array_elements(conditions) as condition
         where condition ->> 'type' = 'Settled' limit 1) as told on true
     where settled is null or settled ->> 'status' <> 'True'
        or generation > settled_generation or presence = 'absent'
  )`;

export interface Failure {
  readonly id: number;
  readonly at: Date;
  readonly project_id: string;
  readonly project_name: string | null;
  readonly service_id: string | null;
  /** null: it is gone, or it is about none. */
  readonly service_name: string | null;
  readonly type: string;
  readonly message: string;
}

/** Of the last day, newest first. */
export async function recentFailures({ pool }: Store): Promise<readonly Failure[]> {
  const { rows } = await pool.query<Failure>(FAILURES, [FAILURE_HOURS]);
  return rows;
}

/** In the words of the index events_of_failure, which is what makes it cheap. */
const FAILURES = `
  select failures.*, projects.name as project_name, services.name as service_name
    from (select id, at, project_id, service_id, type, message from events
           where (type in ('service.trouble', 'service.withdrawn', 'webhook.disabled')
                  or (type = 'service.status' and data ->> 'to' = 'UNSTABLE')
                  or (type = 'service.role' and data ->> 'reason' = 'failover'))
             and at > now() - make_interval(hours => $1)
           order by id desc limit ${MOST_TOLD}) as failures
    left join projects on projects.id = failures.project_id
    left join services on services.id = failures.service_id
   order by failures.id desc`;

export interface FailingWebhook {
  readonly id: string;
  readonly project_id: string;
  readonly project_name: string;
  readonly url: string;
  readonly enabled: boolean;
  readonly disabled_reason: string | null;
  readonly failures: number;
  readonly rests_until: Date | null;
  readonly waiting: number;
}

/** Those whose last try has failed, or that were disabled because of that. */
export async function failingWebhooks({ pool }: Store): Promise<readonly FailingWebhook[]> {
  const { rows } = await pool.query<FailingWebhook>(FAILING_WEBHOOKS);
  return rows;
}

const FAILING_WEBHOOKS = `
  select webhooks.id, project_id, projects.name as project_name, url, enabled, disabled_reason, failures, rests_until,
         (select count(*) from webhook_deliveries
           where webhook_id = webhooks.id and state = 'pending') as waiting
    from webhooks join projects on projects.id = project_id
   where failures > 0 or disabled_reason is not null
   order by failures desc, webhooks.id limit ${MOST_TOLD}`;

export interface StateDatabaseNews {
  readonly version: string;
  readonly bytes: number;
  readonly latencyMs: number;
}

export async function stateDatabaseNews({ pool }: Store): Promise<StateDatabaseNews> {
  const { rows } = await pool.query<{ version: string; bytes: number }>(
    "select current_setting('server_version') as version, pg_database_size(current_database()) as bytes",
  );
  const askedAt = performance.now();
  await pool.query("select 1");
  const latencyMs = performance.now() - askedAt;
  return { version: rows[0]?.version ?? "", bytes: rows[0]?.bytes ?? 0, latencyMs };
}
