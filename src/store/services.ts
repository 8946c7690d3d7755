/** Services as the API reads and changes them: what is desired, its event and its wake-up in one transaction. */
import { type SqlBool, sql, type UpdateObject } from "kysely";
import type { ServiceStatus } from "../contract/service.ts";
import type { Db, Trx } from "./db.ts";
import type { NewEvent } from "./events.ts";
import { listReadReplicaSets, passOn } from "./read-replica-sets.ts";
import { lockRoom, type Room } from "./regions.ts";
import type { Tables } from "./schema.ts";
import {
  changesOf,
  concernsSets,
  grows,
  type Service,
  type ServiceUsage,
  SHOWN,
  type Shape,
  shapeColumns,
  shapeOf,
} from "./service-row.ts";
import { wake } from "./wake.ts";

/** Why a shape does not fit into a region, in words for the client. */
export interface NoRoom {
  readonly message: string;
  readonly details: string;
}

/** Pure: null where the shape fits into the room that is left. */
export type Admit = (room: Room, wanted: Shape) => NoRoom | null;

export interface ChangeRequest {
  readonly projectId: string;
  readonly serviceId: string;
  /** The service whose read replica set is meant; left out: no such set is. */
  readonly readsFrom?: string;
  readonly actor: string;
  readonly eventType: string;
  /** Pure: the new shape with a sentence for the event, or why it is refused. */
  readonly decide: (current: Shape, service: Service) => ShapeDecision;
  /** Asked where the new shape wants more of the region than before. */
  readonly admit?: Admit;
  /** What is told from now on; null: what was told before, since clients notice nothing of the change. */
  readonly status?: ServiceStatus | null;
  /** Refused while others read from it. */
  readonly unlessRead?: boolean;
}

export type ShapeDecision =
  | { readonly kind: "shape"; readonly shape: Shape; readonly message: string }
  /** What was asked for can never be. */
  | { readonly kind: "refused"; readonly message: string }
  /** It cannot be in the service's present state. */
  | { readonly kind: "conflict"; readonly message: string };

export type ChangeOutcome =
  | { readonly kind: "changed"; readonly service: Service }
  | { readonly kind: "missing" }
  | { readonly kind: "deleting" }
  | Exclude<ShapeDecision, { kind: "shape" }>
  | ({ readonly kind: "no-room" } & NoRoom);

export async function getService(
  db: Db,
  projectId: string,
  serviceId: string,
): Promise<(Service & ServiceUsage) | null> {
  const found = await selectServices(db)
    .where("id", "=", serviceId)
    .where("project_id", "=", projectId)
    .executeTakeFirst();
  return found ?? null;
}

/** In the order they were created, without read replica sets. */
export async function listServices(db: Db, projectId: string): Promise<readonly (Service & ServiceUsage)[]> {
  return selectServices(db)
    .where("project_id", "=", projectId)
    .where("read_from", "is", null)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/** With what their primaries use, where that was seen within the last minute. */
function selectServices(db: Db) {
  return db
    .selectFrom("services")
    .leftJoin("sampled_services", (join) =>
      join
        .onRef("sampled_services.service_id", "=", "services.id")
        .on(sql<SqlBool>`sampled_services.primary_at > now() - interval '1 minute'`),
    )
    .select(SHOWN)
    .select(["milli_cpu", "memory_mb", "storage_mb"]);
}

export async function countByStatus(
  db: Db,
): Promise<readonly { readonly status: ServiceStatus; readonly count: number }[]> {
  return db
    .selectFrom("services")
    .select((query) => ["status", query.fn.countAll<number>().as("count")])
    .groupBy("status")
    .execute();
}

/**
 * Changes the desired shape. Changes merge: the reconciler only ever sees the newest.
 *
 * What concerns no other service, and asks no more of the region than before, is written without locks, on condition that
 * the service is still what the decision was made for; everything else, and what lost that race, waits for its turn.
 */
export async function changeShape(db: Db, request: ChangeRequest): Promise<ChangeOutcome> {
  const outcome = await change(db, request);
  if (outcome.kind === "changed") wake(db);
  return outcome;
}

async function change(db: Db, request: ChangeRequest): Promise<ChangeOutcome> {
  const current = await getService(db, request.projectId, request.serviceId);
  const verdict = judge(current, request);
  if (verdict.kind !== "shape") return verdict;
  const alone = !request.unlessRead && !concernsSets(verdict.before, verdict.shape);
  if (alone && !grows(verdict.before, verdict.shape)) {
    const service = await write(db, request, verdict);
    if (service) return { kind: "changed", service };
  }
  return db.transaction().execute((trx) => changeShapeIn(trx, request));
}

/** A set is changed as one of its service, and a service as no set; null where it is as it should be. */
export function misplacement(
  { id, read_from }: Service,
  { readsFrom }: Pick<ChangeRequest, "readsFrom">,
): Extract<ChangeOutcome, { kind: "missing" | "conflict" }> | null {
  if (read_from === (readsFrom ?? null)) return null;
  if (read_from === null || readsFrom !== undefined) return { kind: "missing" };
  const message = `it is a read replica set; that is done below /services/${read_from}/replicaSets/${id}, where it can be`;
  return { kind: "conflict", message };
}

type Verdict =
  | {
      readonly kind: "shape";
      readonly generation: number;
      readonly regionCode: string;
      readonly before: Shape;
      readonly shape: Shape;
      readonly message: string;
    }
  | Extract<ChangeOutcome, { kind: "missing" | "deleting" | "refused" | "conflict" }>;

function judge(current: Service | null, request: ChangeRequest): Verdict {
  if (!current) return { kind: "missing" };
  const misplaced = misplacement(current, request);
  if (misplaced) return misplaced;
  if (current.presence === "absent") return { kind: "deleting" };
  const before = shapeOf(current);
  const decision = request.decide(before, current);
  if (decision.kind !== "shape") return decision;
  return { ...decision, before, generation: current.generation, regionCode: current.region_code };
}

/** The same in a transaction of the caller's, who wakes the reconciler after its commit. */
export async function changeShapeIn(trx: Trx, request: ChangeRequest): Promise<ChangeOutcome> {
  const verdict = judge(await lockService(trx, request.projectId, request.serviceId), request);
  if (verdict.kind !== "shape") return verdict;
  if (request.unlessRead && (await listReadReplicaSets(trx, [request.serviceId])).length > 0)
    return { kind: "conflict", message: "it has read replica sets; delete them first" };
  if (request.admit && grows(verdict.before, verdict.shape)) {
    const room = await lockRoom(trx, verdict.regionCode, request.serviceId);
    const refusal = room && request.admit(room, verdict.shape);
    if (refusal) return { kind: "no-room", ...refusal };
  }
  const service = await write(trx, request, verdict);
  if (concernsSets(verdict.before, verdict.shape)) await passOn(trx, request.serviceId);
  return service ? { kind: "changed", service } : { kind: "missing" };
}

/** null where the service has changed since the verdict. */
function write(
  db: Db,
  request: ChangeRequest,
  { before, shape, message, generation }: Extract<Verdict, { kind: "shape" }>,
): Promise<Service | null> {
  const { status = "QUEUED" } = request;
  return update(
    db,
    {
      ...shapeColumns(shape),
      // Whoever starts it again comes from a stop, whether that had got to its end or not: members may be down already.
      ...(shape.power === before.power ? {} : { settled_power: before.power }),
      ...(status === null ? {} : { ...WAITS_ITS_TURN, status }),
      ...NEXT_GENERATION,
    },
    sql<SqlBool>`generation = ${generation}`,
    {
      ...request,
      type: request.eventType,
      message,
      data: { changes: changesOf(before, shape), ...(status === null ? {} : { status }) },
    },
  );
}

export async function lockService(trx: Trx, projectId: string, serviceId: string): Promise<Service | null> {
  const found = await trx
    .selectFrom("services")
    .select(SHOWN)
    .where("id", "=", serviceId)
    .where("project_id", "=", projectId)
    .forUpdate()
    .executeTakeFirst();
  return found ?? null;
}

/** What is told until the reconciler has looked. */
export const WAITS_ITS_TURN = {
  status: "QUEUED",
  status_reason: "The change was accepted and waits for its turn.",
} as const;

/** Goes with every change that the reconciler has to make true. */
export const NEXT_GENERATION = {
  generation: sql<number>`generation + 1`,
  due_at: sql<Date>`now()`,
  attempts: 0,
};

/** The change and its event in one statement, or nothing where the condition fails. */
export async function update(
  db: Db,
  set: UpdateObject<Tables, "services">,
  condition: ReturnType<typeof sql<SqlBool>>,
  { projectId, serviceId, actor, type, message, data }: NewEvent,
): Promise<Service | null> {
  const changed = await db
    .with("changed", (cte) =>
      cte
        .updateTable("services")
        .set(set)
        .where("id", "=", serviceId)
        .where("project_id", "=", projectId)
        .where(condition)
        .returning(SHOWN),
    )
    .with("told", (cte) =>
      cte
        .insertInto("events")
        .columns(["project_id", "service_id", "actor", "type", "message", "data"])
        .expression((query) =>
          query
            .selectFrom("changed")
            .select(["project_id", "id"])
            .select((columns) => [
              columns.val(actor).as("actor"),
              columns.val(type).as("type"),
              columns.val(message).as("message"),
              sql<string>`${JSON.stringify(data ?? {})}::jsonb`.as("data"),
            ]),
        ),
    )
    .selectFrom("changed")
    .select(SHOWN)
    .executeTakeFirst();
  return changed ?? null;
}

/** Those of the ids that are services, or read replica sets, of the project. */
export async function servicesAmong(
  db: Db,
  projectId: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("services")
    .select("id")
    .where("project_id", "=", projectId)
    .where("id", "in", [...ids])
    .execute();
  return rows.map(({ id }) => id);
}
