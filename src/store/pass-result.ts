/** What a pass over a service tells, and how it is written. Whether it may be written, the queue decides. */
import { sql, type UpdateObject } from "kysely";
import type { Condition } from "../contract/conditions.ts";
import type { InForce } from "../contract/in-force.ts";
import type { ServiceStatus } from "../contract/service.ts";
import type { Trx } from "./db.ts";
import type { DueService } from "./due-service.ts";
import { appendEvents } from "./events.ts";
import { keepObservation, type Observation } from "./observations.ts";
import { passOn } from "./read-replica-sets.ts";
import type { ServiceRow, Sizing, Tables } from "./schema.ts";
import { sizingColumns } from "./service-row.ts";

/** The actor of what the control plane does by itself. */
const ACTOR = "howdah";

/** What is told of a service in the middle of a pass, before something begins that takes time. */
export interface Announcement {
  readonly status: ServiceStatus;
  readonly statusReason: string;
  readonly conditions: readonly Condition[];
  /** null: nothing was seen, and what was told before stays. */
  readonly inForce: InForce | null;
  /** Left out: nothing was seen that is not kept already. */
  readonly observation?: Observation;
  readonly events: readonly {
    readonly type: string;
    readonly message: string;
    readonly data?: Record<string, unknown>;
  }[];
}

/** What one reconcile pass found out; written only while the lease is still ours. */
export interface PassResult extends Announcement {
  readonly waiting: { readonly reason: string; readonly since: Date } | null;
  /** The generation seen fully in force, and with it its power; null when it was not. */
  readonly settledGeneration: number | null;
  readonly attempts: number;
  readonly dueInMs: number;
  /** What was asked for and is taken back, since it cannot be had; null: nothing. */
  readonly withdrawn: Withdrawn | null;
}

export interface Withdrawn {
  /** To these the sizing goes back; left out: the sizing stays, and no lead is handed over any more. */
  readonly sizing?: Sizing;
  readonly message: string;
}

/** The row as it is at this moment, locked. */
export type Current = Pick<ServiceRow, "generation" | "status" | "status_reason">;

type Columns = UpdateObject<Tables, "services">;

/**
 * Status, conditions and events, with one more event where the status changes. Where a request came in since the claim,
 * status and reason stay what that request set.
 */
export async function writeNews(
  trx: Trx,
  service: DueService,
  current: Current,
  news: Announcement,
  more: Columns = {},
): Promise<void> {
  const superseded = current.generation !== service.generation;
  const told = superseded
    ? { status: current.status, status_reason: current.status_reason }
    : { status: news.status, status_reason: news.statusReason };
  const seen = news.observation ? await keepObservation(trx, service, news.observation) : {};
  await trx
    .updateTable("services")
    .set({
      ...told,
      ...seen,
      conditions: JSON.stringify(news.conditions),
      ...(news.inForce ? { in_force: JSON.stringify(news.inForce) } : {}),
      ...more,
    })
    .where("id", "=", service.serviceId)
    .execute();
  // Those who read from it may have to do with what has changed.
  if (told.status !== current.status) await makeSetsDue(trx, service.serviceId);
  const changed =
    told.status === current.status
      ? []
      : [{ type: "service.status", ...statusChange(current.status, told.status, told.status_reason) }];
  await appendEvents(
    trx,
    [...news.events, ...changed].map((event) => ({ ...originOf(service), ...event })),
  );
}

/** @param handBack what the queue has to write of the row in the same breath */
export async function writeResult(
  trx: Trx,
  service: DueService,
  current: Current,
  result: PassResult,
  handBack: Columns,
): Promise<void> {
  const superseded = current.generation !== service.generation;
  // What has been asked for since is judged anew.
  const withdrawn = superseded ? null : result.withdrawn;
  await writeNews(trx, service, current, result, {
    waiting_reason: result.waiting?.reason ?? null,
    waiting_since: result.waiting?.since ?? null,
    ...(result.settledGeneration === null ? {} : settlement(service, result.settledGeneration, superseded)),
    attempts: superseded ? 0 : result.attempts,
    ...(withdrawn ? withdrawal(withdrawn) : {}),
    ...handBack,
  });
  if (!withdrawn) return;
  await passOn(trx, service.serviceId);
  await appendEvents(trx, [{ ...originOf(service), type: "service.withdrawn", message: withdrawn.message }]);
}

function settlement(service: DueService, generation: number, superseded: boolean) {
  const { size, parameters } = service;
  return {
    settled_generation: generation,
    settled_power: service.power,
    settled_sizing: JSON.stringify({ size, parameters }),
    // One that was asked for since is still to come.
    ...(superseded ? {} : { hand_over_from: null }),
  };
}

function withdrawal({ sizing }: Withdrawn) {
  return {
    ...(sizing ? sizingColumns(sizing) : { hand_over_from: null }),
    generation: sql<number>`generation + 1`,
    attempts: 0,
    waiting_reason: null,
    waiting_since: null,
  };
}

async function makeSetsDue(trx: Trx, serviceId: string): Promise<void> {
  await trx
    .updateTable("services")
    .set({ due_at: sql`now()` })
    .where("read_from", "=", serviceId)
    .where("due_at", ">", sql<Date>`now()`)
    .execute();
}

function statusChange(from: ServiceStatus, to: ServiceStatus, reason: string) {
  return { message: `${from} → ${to}: ${reason}`, data: { from, to } };
}

/** Of an event that the control plane tells by itself. */
export function originOf({ projectId, serviceId }: Pick<DueService, "projectId" | "serviceId">) {
  return { projectId, serviceId, actor: ACTOR };
}
