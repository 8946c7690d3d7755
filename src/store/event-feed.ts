/**
 * The order in which events are passed on. A place is given after the commit of an event, so what commits late comes
 * late, and is never passed by. Whoever gives places holds the one row of event_feed until the commit: places become
 * visible in their order. What webhooks want of the batch is put into their queue in the same transaction.
 */
import { sql } from "kysely";
import { isWanted } from "../contract/event-types.ts";
import { randomId } from "../lib/ids.ts";
import type { Db, Trx } from "./db.ts";
import { type PlacedEvent, placed } from "./events.ts";
import type { EventRow } from "./schema.ts";

const AT_A_TIME = 500;
/** How long a webhook's receiver may be away before what it missed is given up. */
const DELIVERY_LIFETIME_HOURS = 24;

/** What a webhook's receiver gets of an event. */
export type RenderEvent = (event: PlacedEvent) => string;

/** Gives the events that have none their places, oldest first. Returns how many that were, at most 500. */
export async function placeEvents(db: Db, render: RenderEvent): Promise<number> {
  const [any] = await db.selectFrom("events").select("id").where("seq", "is", null).limit(1).execute();
  if (!any) return 0;
  return db.transaction().execute(async (trx) => {
    const { last_seq } = await trx
      .selectFrom("event_feed")
      .select("last_seq")
      .forUpdate()
      .executeTakeFirstOrThrow();
    const { rows } = await sql<EventRow>`
      with fresh as (select id from events where seq is null order by id limit ${AT_A_TIME}),
           places as (select id, row_number() over (order by id) as place from fresh)
      update events set seq = ${last_seq}::bigint + place
        from places where events.id = places.id
      returning events.*`.execute(trx);
    const events = rows.flatMap(placed).toSorted((a, b) => a.seq - b.seq);
    if (events.length === 0) return 0;
    await enqueueDeliveries(trx, events, render);
    await trx
      .updateTable("event_feed")
      .set({ last_seq: last_seq + events.length })
      .execute();
    return events.length;
  });
}

/** The place that was given last; 0: none yet. */
export async function lastPlace(db: Db): Promise<number> {
  const { last_seq } = await db.selectFrom("event_feed").select("last_seq").executeTakeFirstOrThrow();
  return last_seq;
}

/** Events of every project, in the order of their places. */
export async function eventsAfter(db: Db, after: number, limit: number): Promise<readonly PlacedEvent[]> {
  const rows = await db
    .selectFrom("events")
    .selectAll()
    .where("seq", ">", after)
    .orderBy("seq")
    .limit(limit)
    .execute();
  return rows.flatMap(placed);
}

/**
 * Where an event of the project stands; null where it is none. One that was kept long enough and is gone stands before
 * all that are kept.
 */
export async function placeOf(db: Db, projectId: string, eventId: number): Promise<number | null> {
  const found = await db
    .selectFrom("events")
    .select("seq")
    .where("id", "=", eventId)
    .where("project_id", "=", projectId)
    .executeTakeFirst();
  if (found) return found.seq;
  const oldest = await db
    .selectFrom("events")
    .select((query) => query.fn.min("id").as("id"))
    .executeTakeFirst();
  return eventId < (oldest?.id ?? Number.POSITIVE_INFINITY) ? 0 : null;
}

/** The newest event of a project that has a place; null where there is none. */
export async function newestPlaced(
  db: Db,
  projectId: string,
): Promise<{ readonly id: number; readonly seq: number } | null> {
  const row = await db
    .selectFrom("events")
    .select(["id", "seq"])
    .where("project_id", "=", projectId)
    .where("seq", "is not", null)
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  return row && row.seq !== null ? { id: row.id, seq: row.seq } : null;
}

async function enqueueDeliveries(
  trx: Trx,
  events: readonly PlacedEvent[],
  render: RenderEvent,
): Promise<void> {
  const projects = [...new Set(events.map(({ project_id }) => project_id))];
  // Locked, so that none of them is deleted before what it shall get is in its queue.
  const webhooks = await trx
    .selectFrom("webhooks")
    .select(["id", "project_id", "event_types"])
    .where("project_id", "in", projects)
    .where("enabled", "=", true)
    .orderBy("id")
    .forKeyShare()
    .execute();
  const deliveries = events.flatMap((event) => {
    const wanting = webhooks.filter(
      ({ project_id, event_types }) => project_id === event.project_id && isWanted(event.type, event_types),
    );
    if (wanting.length === 0) return [];
    const body = render(event);
    return wanting.map(({ id }) => ({ webhookId: id, eventId: event.id, eventType: event.type, body }));
  });
  for (let first = 0; first < deliveries.length; first += AT_A_TIME) {
    await insertDeliveries(trx, deliveries.slice(first, first + AT_A_TIME));
  }
}

export interface NewDelivery {
  readonly webhookId: string;
  /** null: it tells of no event, as a test does. */
  readonly eventId: number | null;
  readonly eventType: string;
  readonly body: string;
}

/** Returns their ids, in this order. */
export async function insertDeliveries(
  db: Db,
  deliveries: readonly NewDelivery[],
): Promise<readonly number[]> {
  const rows = await db
    .insertInto("webhook_deliveries")
    .values(
      deliveries.map(({ webhookId, eventId, eventType, body }) => ({
        webhook_id: webhookId,
        message_id: `msg_${randomId(24)}`,
        event_id: eventId,
        event_type: eventType,
        body,
        expires_at: expiry(),
      })),
    )
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

export function expiry() {
  return sql<Date>`now() + ${DELIVERY_LIFETIME_HOURS} * interval '1 hour'`;
}
