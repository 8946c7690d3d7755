/**
 * Who did what from where. A record is begun before the change it is about, on a connection that does not wait for the
 * disk: the commit of the change, which does, takes it along. So no change is without its record, and a record without
 * an outcome tells of a process that ended first.
 */
import type { Db } from "./db.ts";
import type { AuditRow } from "./schema.ts";

export interface NewAuditRecord {
  readonly projectId: string;
  readonly publicKey: string;
  readonly keyName: string;
  readonly operation: string;
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  readonly serviceId: string | null;
  readonly remoteAddress: string;
  readonly requestId: string;
}

export interface AuditOutcome {
  readonly status: number;
  readonly errorCode: string | null;
}

/** Returns its id. */
export async function beginAuditRecord(db: Db, record: NewAuditRecord): Promise<number> {
  const { id } = await db
    .insertInto("audit_records")
    .values({
      project_id: record.projectId,
      public_key: record.publicKey,
      key_name: record.keyName,
      operation: record.operation,
      method: record.method,
      path: record.path,
      service_id: record.serviceId,
      remote_address: record.remoteAddress,
      request_id: record.requestId,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function endAuditRecord(db: Db, id: number, { status, errorCode }: AuditOutcome): Promise<void> {
  await db.updateTable("audit_records").set({ status, error_code: errorCode }).where("id", "=", id).execute();
}

export interface AuditQuery {
  readonly projectId: string;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  readonly limit: number;
  readonly order: "newest first" | "oldest first";
  /** The id after which the page begins, in its order. */
  readonly after?: number | undefined;
}

export async function listAuditRecords(db: Db, query: AuditQuery): Promise<readonly AuditRow[]> {
  const forwards = query.order === "oldest first";
  let rows = db
    .selectFrom("audit_records")
    .selectAll()
    .where("project_id", "=", query.projectId)
    .orderBy("id", forwards ? "asc" : "desc")
    .limit(query.limit);
  if (query.since) rows = rows.where("at", ">=", query.since);
  if (query.until) rows = rows.where("at", "<", query.until);
  if (query.after !== undefined) rows = rows.where("id", forwards ? ">" : "<", query.after);
  return rows.execute();
}
