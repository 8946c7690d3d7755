/** Services as the API reads and changes them: what is desired, its event and its wake-up in one transaction. */
import { sql, type Updateable } from "kysely";
import type { ServiceStatus } from "../contract/service.ts";
import type { Db, Trx } from "./db.ts";
import { eventRow, type NewEvent } from "./events.ts";
import { lockRoom, type Room } from "./regions.ts";
import { DUE_CHANNEL } from "./reconcile-queue.ts";
import type { Tables } from "./schema.ts";
import { grows, type Service, type Shape, SHOWN, shapeColumns, shapeOf } from "./service-row.ts";

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
  readonly actor: string;
  readonly eventType: string;
  /** Pure: the new shape with a sentence for the event, or why it is refused. */
  readonly decide: (current: Shape) => ShapeDecision;
  readonly admit: Admit;
}

export type ShapeDecision =
  | { readonly kind: "shape"; readonly shape: Shape; readonly message: string }
  | { readonly kind: "refused"; readonly message: string };

export type ChangeOutcome =
  | { readonly kind: "changed"; readonly service: Service }
  | { readonly kind: "missing" }
  | { readonly kind: "deleting" }
  | { readonly kind: "refused"; readonly message: string }
  | ({ readonly kind: "no-room" } & NoRoom);

export async function getService(db: Db, projectId: string, serviceId: string): Promise<Service | null> {
  const found = await db
    .selectFrom("services")
    .select(SHOWN)
    .where("id", "=", serviceId)
    .where("project_id", "=", projectId)
    .executeTakeFirst();
  return found ?? null;
}

/** In the order they were created. */
export async function listServices(db: Db, projectId: string): Promise<readonly Service[]> {
  return db
    .selectFrom("services")
    .select(SHOWN)
    .where("project_id", "=", projectId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
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

/** Changes the desired shape. Changes merge: the reconciler only ever sees the newest. */
export async function changeShape(db: Db, request: ChangeRequest): Promise<ChangeOutcome> {
  return db.transaction().execute(async (trx): Promise<ChangeOutcome> => {
    const current = await lockService(trx, request.projectId, request.serviceId);
    if (!current) return { kind: "missing" };
    if (current.presence === "absent") return { kind: "deleting" };
    const decision = request.decide(shapeOf(current));
    if (decision.kind === "refused") return decision;
    const { shape, message } = decision;
    if (grows(shapeOf(current), shape)) {
      const room = await lockRoom(trx, current.region_code, current.id);
      const refusal = room && request.admit(room, shape);
      if (refusal) return { kind: "no-room", ...refusal };
    }
    const service = await update(
      trx,
      {
        ...shapeColumns(shape),
        status: "QUEUED",
        status_reason: "The change was accepted and waits for its turn.",
      },
      { ...request, type: request.eventType, message },
    );
    return { kind: "changed", service };
  });
}

/** From now on the service shall be absent. null where there is none; one that is being deleted stays as it is. */
export async function deleteService(
  db: Db,
  request: { readonly projectId: string; readonly serviceId: string; readonly actor: string },
): Promise<Service | null> {
  return db.transaction().execute(async (trx) => {
    const current = await lockService(trx, request.projectId, request.serviceId);
    if (!current || current.presence === "absent") return current;
    return update(
      trx,
      { presence: "absent", status: "DELETING", status_reason: "The service is being removed." },
      { ...request, type: "service.delete.accepted", message: "Deletion was accepted." },
    );
  });
}

async function lockService(trx: Trx, projectId: string, serviceId: string): Promise<Service | null> {
  const found = await trx
    .selectFrom("services")
    .select(SHOWN)
    .where("id", "=", serviceId)
    .where("project_id", "=", projectId)
    .forUpdate()
    .executeTakeFirst();
  return found ?? null;
}

/** The change, its event and the wake-up of the reconciler in one round trip. */
async function update(trx: Trx, set: Updateable<Tables["services"]>, event: NewEvent): Promise<Service> {
  return trx
    .with("changed", (cte) =>
      cte
        .updateTable("services")
        .set(set)
        .set({ generation: sql`generation + 1`, due_at: sql`now()`, attempts: 0 })
        .where("id", "=", event.serviceId)
        .returning(SHOWN),
    )
    .with("told", (cte) => cte.insertInto("events").values(eventRow(event)))
    .selectFrom("changed")
    .select(SHOWN)
    .select(sql`pg_notify(${DUE_CHANNEL}, id)`.as("notified"))
    .executeTakeFirstOrThrow();
}
