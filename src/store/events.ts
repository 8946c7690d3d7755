/** What happened to services. Written in the transaction of what it tells; kept after the service is gone. */
import type { Db } from "./db.ts";
import type { EventRow } from "./schema.ts";

export interface NewEvent {
  readonly projectId: string;
  readonly serviceId: string;
  /** `key:<public half>` for a client, `howdah` for the control plane itself. */
  readonly actor: string;
  readonly type: string;
  readonly message: string;
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

/** Newest first. @param before only events older than the one with this id */
export async function listEvents(
  db: Db,
  serviceId: string,
  { limit, before }: { readonly limit: number; readonly before?: number | undefined },
): Promise<readonly EventRow[]> {
  const query = db
    .selectFrom("events")
    .selectAll()
    .where("service_id", "=", serviceId)
    .orderBy("id", "desc")
    .limit(limit);
  return (before === undefined ? query : query.where("id", "<", before)).execute();
}
