/**
 * The reconcile queue: a service's own row is its job. A claim takes a lease; whoever dies loses it by its expiry, and
 * whoever comes late is told so and writes nothing. All times are the database's.
 */
import { type SqlBool, sql } from "kysely";
import type { Db, Trx } from "./db.ts";
import { type DueService, leasedService, leaseOf } from "./due-service.ts";
import type { Encryption } from "./encryption.ts";
import { appendEvents } from "./events.ts";
import { type Announcement, originOf, type PassResult, writeNews, writeResult } from "./pass-result.ts";
import { wake, wakeReaders } from "./wake.ts";
import { WANTED_VPC } from "./wanted-vpc.ts";

/** Between two passes over one service, at least, where the first left nothing to go on with. */
const GAP_MS = 250;

/** How long a service whose secrets cannot be opened is left alone. */
const SET_ASIDE_MS = 60_000;

export interface ReconcileQueue {
  /** The services due longest, with a lease on each. @param regionCodes of these regions only; left out: of all */
  claimDue(limit: number, regionCodes?: readonly string[]): Promise<readonly DueService[]>;
  /** Milliseconds until the next service is due, 0 where one is now, null where there are none. */
  nextDueInMs(regionCodes?: readonly string[]): Promise<number | null>;
  /** Prolongs the leases that are still ours, and returns which; what is being written to at this moment is passed over. */
  renew(serviceIds: readonly string[]): Promise<readonly string[]>;
  /** Writes what is told and keeps the lease. False when the lease was lost: then nothing is written. */
  announce(service: DueService, news: Announcement): Promise<boolean>;
  /**
   * Writes the result and gives the lease back. False when the lease was lost: then nothing is written.
   * Where a request came in during the pass, status and its reason stay what that request set, and the service is due
   * at once; where something outside happened, it is due at once too.
   */
  finish(service: DueService, result: PassResult): Promise<boolean>;
  /**
   * The service is gone from its platform: removes its row and its port, which is offered again once it has been seen
   * free. Its events stay. False when the lease was lost, or the service shall be present: then nothing is removed.
   */
  forget(service: DueService): Promise<boolean>;
  /** Something outside happened to the service. Never postpones. */
  makeDue(serviceId: string): Promise<void>;
}

/** @param holder names this process in the row; @param leaseMs how long a claim lasts without being renewed */
export function createReconcileQueue(
  db: Db,
  encryption: Encryption,
  holder: string,
  leaseMs: number,
): ReconcileQueue {
  const leaseEnd = sql<Date>`now() + ${leaseMs} * interval '1 millisecond'`;
  const told = async (write: (trx: Trx) => Promise<boolean>) => {
    const written = await db.transaction().execute(write);
    if (written) wakeReaders(db);
    return written;
  };

  return {
    async claimDue(limit, regionCodes) {
      const rows = await db
        .with("due", (cte) =>
          cte
            .selectFrom("services")
            .select("id")
            .where(isDue)
            .where(inRegions(regionCodes))
            .orderBy(nextDue)
            .limit(limit)
            .forUpdate()
            .skipLocked(),
        )
        .updateTable("services")
        .from("due")
        .whereRef("services.id", "=", "due.id")
        .set({
          lease: sql`lease + 1`,
          lease_holder: holder,
          lease_expires_at: leaseEnd,
          due_at: sql`'infinity'`,
        })
        .returningAll("services")
        .returning(WANTED_VPC.as("vpc"))
        .execute();
      const claimed = rows.map((row) => leasedService(row, encryption));
      const unreadable = rows.filter((_, index) => claimed[index] === null).map(({ id }) => id);
      if (unreadable.length > 0) await setAside(db, unreadable);
      return claimed.filter((service) => service !== null);
    },

    async nextDueInMs(regionCodes) {
      const { wait } = await db
        .selectFrom("services")
        .select(
          sql<number | null>`ceil(extract(epoch from min(${nextDue}) - now()) * 1000)::bigint`.as("wait"),
        )
        .where(inRegions(regionCodes))
        .executeTakeFirstOrThrow();
      return wait === null ? null : Math.max(0, wait);
    },

    async renew(serviceIds) {
      if (serviceIds.length === 0) return [];
      // Waiting for one while it holds others could be waited for in turn, by what writes a service and its sets.
      const renewed = await db
        .with("held", (cte) =>
          cte
            .selectFrom("services")
            .select("id")
            .where("id", "in", serviceIds)
            .where("lease_holder", "=", holder)
            .forUpdate()
            .skipLocked(),
        )
        .updateTable("services")
        .from("held")
        .whereRef("services.id", "=", "held.id")
        .set({ lease_expires_at: leaseEnd })
        .returning("services.id")
        .execute();
      return renewed.map(({ id }) => id);
    },

    announce: (service, news) =>
      told(async (trx) => {
        const current = await lockLeased(trx, holder, service);
        if (current) await writeNews(trx, service, current, news);
        return current !== undefined;
      }),

    finish: (service, result) =>
      told(async (trx) => {
        const current = await lockLeased(trx, holder, service);
        if (!current) return false;
        await writeResult(trx, service, current, result, { ...RELEASED, due_at: dueIn(result.dueInMs) });
        return true;
      }),

    forget: (service) =>
      told(async (trx) => {
        const current = await lockLeased(trx, holder, service);
        if (current?.presence !== "absent") return false;
        await trx.deleteFrom("services").where("id", "=", service.serviceId).execute();
        await trx.deleteFrom("ports").where("service_id", "=", service.serviceId).execute();
        await appendEvents(trx, [
          {
            ...originOf(service),
            type: "service.deleted",
            message: `Service ${service.name} is gone, and its data with it.`,
          },
        ]);
        return true;
      }),

    async makeDue(serviceId) {
      // One that is due already is left alone: a storm of outside events costs reads, no writes.
      const { numUpdatedRows } = await db
        .updateTable("services")
        .set({ due_at: sql`now()` })
        .where("id", "=", serviceId)
        .where("due_at", ">", sql<Date>`now()`)
        .executeTakeFirst();
      if (numUpdatedRows > 0n) wake(db);
    },
  };
}

/**
 * Gives back the leases of a holder that is known to be dead, whose services would otherwise wait for their expiry.
 * Should it live after all, the number of each claim keeps what it writes from counting.
 */
export async function releaseLeases(db: Db, holder: string): Promise<void> {
  await db
    .updateTable("services")
    .set({ ...RELEASED, lease: sql`lease + 1`, due_at: sql`now()` })
    .where("lease_holder", "=", holder)
    .execute();
}

/** Makes every service due: whoever begins does not know what has happened to them meanwhile. */
export async function makeAllDue(db: Db): Promise<void> {
  await db
    .updateTable("services")
    .set({ due_at: sql`now()` })
    .where("lease_holder", "is", null)
    .where("due_at", ">", sql<Date>`now()`)
    .execute();
}

/** Of a row that nobody holds. */
const RELEASED = { lease_holder: null, lease_expires_at: null };

/** Progress goes on at once; whoever calls again in the middle of a pass is not served in a rush. */
function dueIn(ms: number) {
  return sql<Date>`least(greatest(due_at, now() + ${Math.min(ms, GAP_MS)} * interval '1 millisecond'),
    now() + ${ms} * interval '1 millisecond')`;
}

const isDue = sql<SqlBool>`((lease_holder is null and due_at <= now())
  or (lease_holder is not null and lease_expires_at <= now()))`;

const nextDue = sql<Date>`case when lease_holder is null then due_at else lease_expires_at end`;

function inRegions(codes: readonly string[] | undefined) {
  return codes === undefined ? sql<SqlBool>`true` : sql<SqlBool>`region_code = any(${[...codes]}::text[])`;
}

function lockLeased(trx: Trx, holder: string, service: DueService) {
  return trx
    .selectFrom("services")
    .select(["generation", "status", "status_reason", "presence"])
    .where("id", "=", service.serviceId)
    .where("lease_holder", "=", holder)
    .where("lease", "=", leaseOf(service))
    .forUpdate()
    .executeTakeFirst();
}

/** One that cannot be opened must not keep the others of its batch from being served; its reason tells people. */
async function setAside(db: Db, serviceIds: readonly string[]): Promise<void> {
  await db
    .updateTable("services")
    .set({
      ...RELEASED,
      status_reason: "Its secrets cannot be opened with the master key of this installation.",
      due_at: sql`now() + ${SET_ASIDE_MS} * interval '1 millisecond'`,
    })
    .where("id", "in", serviceIds)
    .execute();
}
