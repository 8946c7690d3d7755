/**
 * The reconcile queue: a service's own row is its job. A claim takes a lease; whoever dies loses it by its expiry, and
 * whoever comes late is told so and writes nothing. All times are the database's.
 */
import { type SqlBool, sql, type UpdateObject } from "kysely";
import type { Condition } from "../contract/conditions.ts";
import type { InForce } from "../contract/in-force.ts";
import type { Addon, ServiceStatus } from "../contract/service.ts";
import type { ServiceSecrets } from "../lib/service-secrets.ts";
import type { Db, Trx } from "./db.ts";
import type { Encryption } from "./encryption.ts";
import { appendEvents } from "./events.ts";
import { keepObservation, type Observation } from "./observations.ts";
import { passOn } from "./read-replica-sets.ts";
import type { Power, ServiceRow, Sizing, Tables } from "./schema.ts";
import { type Shape, shapeOf, sizingColumns } from "./service-row.ts";
import { openSecrets } from "./service-secrets.ts";
import { wake, wakeReaders } from "./wake.ts";
import { WANTED_VPC, type WantedVpc } from "./wanted-vpc.ts";

/** Between two passes over one service, at least, where the first left nothing to go on with. */
const GAP_MS = 250;

/** How long a service whose secrets cannot be opened is left alone. */
const SET_ASIDE_MS = 60_000;

/** The actor of what the control plane does by itself. */
const ACTOR = "howdah";

export interface DueService extends Shape {
  readonly serviceId: string;
  readonly projectId: string;
  readonly name: string;
  readonly regionCode: string;
  readonly addons: readonly Addon[];
  readonly endpointPort: number;
  readonly poolerPort: number;
  readonly secrets: ServiceSecrets;
  readonly generation: number;
  readonly settledGeneration: number;
  readonly settledPower: Power;
  readonly presence: "present" | "absent";
  readonly passwordVersion: number;
  readonly forkedFrom: string | null;
  /** As DesiredService has it. */
  readonly readsFrom: string | null;
  /** Its place among those who read from that service; null where it reads from none. */
  readonly readPlace: number | null;
  readonly vpc: WantedVpc | null;
  readonly handOverFrom: number | null;
  readonly settledSizing: Sizing | null;
  readonly status: ServiceStatus;
  readonly statusReason: string;
  readonly conditions: readonly Condition[];
  /** What was last seen in force; null: nothing yet. */
  readonly inForce: InForce | null;
  readonly waiting: { readonly reason: string; readonly since: Date } | null;
  readonly attempts: number;
  /** Of the observation that is kept; null: none is. */
  readonly observedDigest?: string | null;
}

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

/** What claimDue really returns: the number of the claim goes along, so that its own writes can be told from others'. */
interface LeasedService extends DueService {
  readonly lease: number;
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
        if (current) await tell(trx, service, current, news);
        return current !== undefined;
      }),

    finish: (service, result) =>
      told(async (trx) => {
        const current = await lockLeased(trx, holder, service);
        if (!current) return false;
        const superseded = current.generation !== service.generation;
        // Progress goes on at once; whoever calls again in the middle of a pass is not served in a rush.
        const gapMs = Math.min(result.dueInMs, GAP_MS);
        await tell(trx, service, current, result, {
          waiting_reason: result.waiting?.reason ?? null,
          waiting_since: result.waiting?.since ?? null,
          ...(result.settledGeneration === null
            ? {}
            : settlement(service, result.settledGeneration, superseded)),
          attempts: superseded ? 0 : result.attempts,
          // What has been asked for since is judged anew.
          ...(result.withdrawn && !superseded ? withdrawal(result.withdrawn) : {}),
          due_at: sql<Date>`least(greatest(due_at, now() + ${gapMs} * interval '1 millisecond'),
            now() + ${result.dueInMs} * interval '1 millisecond')`,
          lease_holder: null,
          lease_expires_at: null,
        });
        if (result.withdrawn && !superseded) {
          const { projectId, serviceId } = service;
          const { message } = result.withdrawn;
          await passOn(trx, serviceId);
          const event = { projectId, serviceId, actor: ACTOR, type: "service.withdrawn", message };
          await appendEvents(trx, [event]);
        }
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
            projectId: service.projectId,
            serviceId: service.serviceId,
            actor: ACTOR,
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
    .set({ lease: sql`lease + 1`, lease_holder: null, lease_expires_at: null, due_at: sql`now()` })
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

const isDue = sql<SqlBool>`((lease_holder is null and due_at <= now())
  or (lease_holder is not null and lease_expires_at <= now()))`;

const nextDue = sql<Date>`case when lease_holder is null then due_at else lease_expires_at end`;

function inRegions(codes: readonly string[] | undefined) {
  return codes === undefined ? sql<SqlBool>`true` : sql<SqlBool>`region_code = any(${[...codes]}::text[])`;
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

/**
 * Status, conditions and events, with one more event where the status changes. Where a request came in since the claim,
 * status and reason stay what that request set.
 */
async function tell(
  trx: Trx,
  service: DueService,
  current: Leased,
  news: Announcement,
  more: UpdateObject<Tables, "services"> = {},
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
  const origin = { projectId: service.projectId, serviceId: service.serviceId, actor: ACTOR };
  await appendEvents(
    trx,
    [...news.events, ...changed].map((event) => ({ ...origin, ...event })),
  );
}

async function makeSetsDue(trx: Trx, serviceId: string): Promise<void> {
  await trx
    .updateTable("services")
    .set({ due_at: sql`now()` })
    .where("read_from", "=", serviceId)
    .where("due_at", ">", sql<Date>`now()`)
    .execute();
}

type Leased = NonNullable<Awaited<ReturnType<typeof lockLeased>>>;

/** 0 is no claim's number: what was never claimed is never ours. */
function leaseOf(service: DueService | LeasedService): number {
  return "lease" in service ? service.lease : 0;
}

function statusChange(from: ServiceStatus, to: ServiceStatus, reason: string) {
  return { message: `${from} → ${to}: ${reason}`, data: { from, to } };
}

/** One that cannot be opened must not keep the others of its batch from being served; its reason tells people. */
async function setAside(db: Db, serviceIds: readonly string[]): Promise<void> {
  await db
    .updateTable("services")
    .set({
      status_reason: "Its secrets cannot be opened with the master key of this installation.",
      due_at: sql`now() + ${SET_ASIDE_MS} * interval '1 millisecond'`,
      lease_holder: null,
      lease_expires_at: null,
    })
    .where("id", "in", serviceIds)
    .execute();
}

/** null where the secrets cannot be opened. */
function leasedService(
  row: ServiceRow & { vpc: WantedVpc | null },
  encryption: Encryption,
): LeasedService | null {
  const secrets = openSecrets(encryption, row.id, row.secrets);
  if (secrets === null) return null;
  return {
    serviceId: row.id,
    projectId: row.project_id,
    name: row.name,
    regionCode: row.region_code,
    addons: row.addons,
    endpointPort: row.endpoint_port,
    poolerPort: row.pooler_port,
    secrets,
    generation: row.generation,
    settledGeneration: row.settled_generation,
    settledPower: row.settled_power,
    presence: row.presence,
    ...shapeOf(row),
    passwordVersion: row.password_version,
    forkedFrom: row.forked_from,
    readsFrom: row.read_from,
    readPlace: row.read_place,
    vpc: row.vpc,
    handOverFrom: row.hand_over_from,
    settledSizing: row.settled_sizing,
    status: row.status,
    statusReason: row.status_reason,
    conditions: row.conditions,
    inForce: row.in_force,
    waiting:
      row.waiting_reason === null || row.waiting_since === null
        ? null
        : { reason: row.waiting_reason, since: row.waiting_since },
    attempts: row.attempts,
    observedDigest: row.observed_digest,
    lease: row.lease,
  };
}
