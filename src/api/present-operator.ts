/** From what the store tells of the whole installation to what its operator reads. Pure. */
import type { OperatorFailure, OperatorJob, OperatorRegion, OperatorWebhook } from "../contract/operator.ts";
import type { WaitingFor } from "../contract/plan.ts";
import type { FailingWebhook, Failure, Job, RegionNews } from "../store/operator.ts";
import { left, type Overcommit } from "./room.ts";

const MIB = 1024 ** 2;

export function presentRegion(region: RegionNews, overcommit: Overcommit): OperatorRegion {
  const { capacity, promised, use, problem } = region;
  const free = left(region, overcommit);
  return {
    code: region.code,
    cpu_millis: amounts(
      {
        capacity: capacity.cpuMillis,
        promised: promised.cpuMillis,
        promisable: capacity.cpuMillis * overcommit.cpu,
        left: free.cpuMillis,
        in_use: use?.cpuMillis,
      },
      1,
    ),
    memory_mb: amounts(
      {
        capacity: capacity.memoryBytes,
        promised: promised.memoryBytes,
        promisable: capacity.memoryBytes * overcommit.memory,
        left: free.memoryBytes,
        in_use: use?.memoryBytes,
      },
      MIB,
    ),
    ...(use?.disk
      ? {
          storage_mb: {
            total: whole(use.disk.totalBytes, MIB),
            available: whole(use.disk.availableBytes, MIB),
            in_use: whole(use.storageBytes, MIB),
          },
        }
      : {}),
    services: region.services,
    members: region.members,
    spare_ports: region.sparePorts,
    engine: {
      answers: problem === null,
      ...(problem ? { since: problem.since.toISOString(), message: problem.message } : {}),
      reported_at: region.reportedAt.toISOString(),
    },
  };
}

interface InUnits {
  readonly capacity: number;
  readonly promised: number;
  readonly promisable: number;
  readonly left: number;
  readonly in_use: number | undefined;
}

function amounts({ in_use, ...all }: InUnits, unit: number) {
  return {
    capacity: whole(all.capacity, unit),
    promised: whole(all.promised, unit),
    promisable: whole(all.promisable, unit),
    left: whole(all.left, unit),
    ...(in_use === undefined ? {} : { in_use: whole(in_use, unit) }),
  };
}

function whole(amount: number, unit: number): number {
  return Math.round(amount / unit);
}

export function presentJob(job: Job): OperatorJob {
  const waiting = waitingFor(job);
  return {
    service_id: job.service_id,
    name: job.name,
    project: { id: job.project_id, name: job.project_name },
    region_code: job.region_code,
    status: job.status,
    state: job.state,
    message: job.state === "queued" ? job.status_reason : (job.settled?.message ?? job.status_reason),
    since: job.since.toISOString(),
    ...(waiting ? { waiting_for: waiting } : {}),
    failures: job.attempts,
    ...(job.next_look ? { next_look: job.next_look.toISOString() } : {}),
    ...(job.lease_holder !== null && job.lease_expires_at
      ? { lease: { holder: job.lease_holder, expires_at: job.lease_expires_at.toISOString() } }
      : {}),
  };
}

/** As the plan of the service has it, from what the last look has told. */
function waitingFor({ state, settled, waiting_reason, waiting_since }: Job): WaitingFor | null {
  if (!settled) return null;
  const { message, since } = settled;
  if (state === "unreachable") return { reason: "platform", message, since, overdue: true };
  const waits = state === "waiting" || state === "overdue";
  if (!waits || waiting_reason === null || waiting_since === null) return null;
  return {
    reason: waiting_reason,
    message,
    since: waiting_since.toISOString(),
    overdue: state === "overdue",
  };
}

export function presentFailure(failure: Failure): OperatorFailure {
  const { service_id: id, service_name: name } = failure;
  return {
    id: String(failure.id),
    at: failure.at.toISOString(),
    project: { id: failure.project_id, name: failure.project_name ?? failure.project_id },
    ...(id === null ? {} : { service: { id, ...(name === null ? {} : { name }) } }),
    type: failure.type,
    message: failure.message,
  };
}

export function presentFailingWebhook(webhook: FailingWebhook): OperatorWebhook {
  const { disabled_reason: reason, rests_until: rests } = webhook;
  return {
    id: webhook.id,
    project: { id: webhook.project_id, name: webhook.project_name },
    host: new URL(webhook.url).host,
    enabled: webhook.enabled,
    ...(reason === null ? {} : { disabled_reason: reason }),
    failures: webhook.failures,
    ...(rests ? { rests_until: rests.toISOString() } : {}),
    waiting: webhook.waiting,
  };
}
