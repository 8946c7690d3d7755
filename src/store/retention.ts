/** Forgets what has been kept for long enough. Ids grow with time, so looking at the oldest few is enough. */
import { sql } from "kysely";
import type { Db } from "./db.ts";

const AT_A_TIME = 500;

/** At most 500 of them, so that nobody waits for it. Returns how many. Those without a place are still to be passed on. */
export async function forgetEvents(db: Db, days: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from events where id in (
      select id from (select id, at, seq from events order by id limit ${AT_A_TIME}) as oldest
       where at < now() - ${days} * interval '1 day' and seq is not null)`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** The same for the audit. */
export async function forgetAuditRecords(db: Db, days: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from audit_records where id in (
      select id from (select id, at from audit_records order by id limit ${AT_A_TIME}) as oldest
       where at < now() - ${days} * interval '1 day')`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
