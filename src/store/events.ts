/** What happened. Written in the transaction of what it tells; kept after the service is gone. */
import { sql } from "kysely";
import { withoutStar } from "../contract/event-types.ts";
import type { Db } from "./db.ts";
import type { EventRow } from "./schema.ts";

export interface NewEvent {
  readonly projectId: string;
  /** null: it is about no service. */
  readonly serviceId: string | null;
  /** `key:<public half>` for a client, `howdah` for the control plane itself. */
  readonly actor: string;
  readonly type: string;
  readonly message: string;
  /** For programs. Never a secret. */
  readonly data?: Readonly<Record<string, unknown>>;
}

export async function appendEvents(db: Db, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await db.insertInto("events").values(events.map(eventRow)).execute();
}

export function eventRow(event: NewEvent) {
  return {
    project_id: event.projectId,
    service_id: event.serviceId,
    actor: event.actor,
    type: event.type,
    message: event.message,
    data: JSON.stringify(event.data ?? {}),
  };
}

interface Page {
  readonly limit: number;
  /** Only events older than the one with this id. */
  readonly before?: number | undefined;
}

/** Newest first. */
export async function listEvents(
  db: Db,
  serviceId: string,
  { limit, before }: Page,
): Promise<readonly EventRow[]> {
  const query = db
    .selectFrom("events")
    .selectAll()
    .where("service_id", "=", serviceId)
    .orderBy("id", "desc")
    .limit(limit);
  return (before === undefined ? query : query.where("id", "<", before)).execute();
}

/** Which events somebody wants. */
export interface EventFilter {
  readonly projectId: string;
  /** null: of every service, and of none. */
  readonly serviceId: string | null;
  /** As src/contract/event-types.ts has them; null: all. */
  readonly types: readonly string[] | null;
}

/** Newest first. */
export async function findEvents(
  db: Db,
  filter: EventFilter,
  { limit, before }: Page,
): Promise<readonly EventRow[]> {
  const query = wanted(db, filter).orderBy("id", "desc").limit(limit);
  return (before === undefined ? query : query.where("id", "<", before)).execute();
}

/** In the order of their places, which are known. */
export async function readEvents(
  db: Db,
  filter: EventFilter,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly PlacedEvent[]> {
  const rows = await wanted(db, filter).where("seq", ">", after).orderBy("seq").limit(limit).execute();
  return rows.flatMap(placed);
}

/** One whose place among all others is known, and stays. */
export interface PlacedEvent extends EventRow {
  readonly seq: number;
}

export function placed(row: EventRow): readonly PlacedEvent[] {
  return row.seq === null ? [] : [{ ...row, seq: row.seq }];
}

function wanted(db: Db, { projectId, serviceId, types }: EventFilter) {
  let query = db.selectFrom("events").selectAll().where("project_id", "=", projectId);
  if (serviceId !== null) query = query.where("service_id", "=", serviceId);
  if (types === null || types.includes("*")) return query;
  const prefixes = types.map(withoutStar);
  // A type holds neither % nor _, so that what follows is a prefix and nothing else.
  const below = prefixes.map((prefix) => `${prefix}.%`);
  return query.where(sql<boolean>`(type = any(${prefixes}::text[]) or type like any(${below}::text[]))`);
}
