/** Regions: what their platforms have, what is promised of it, and the ports their endpoints can have. */
import { type SqlBool, sql } from "kysely";
import type { Db, Trx } from "./db.ts";

/** What one member of shared size counts for; the memory is its limit, the CPU an estimate of its use. */
export const SHARED_SHARE = { cpuMillis: 250, memoryGbs: 1 } as const;

const GIB = 1024 ** 3;

export interface Amount {
  /** Thousandths of a core. */
  readonly cpuMillis: number;
  readonly memoryBytes: number;
}

export interface Room {
  readonly code: string;
  readonly capacity: Amount;
  /** The sum over all members of all present services. */
  readonly promised: Amount;
}

/** Makes the region, or renews what is known of it: whoever tells what it has answers. */
export async function reportRegion(db: Db, code: string, capacity: Amount): Promise<void> {
  const row = { cpu_millis: Math.floor(capacity.cpuMillis), memory_bytes: Math.floor(capacity.memoryBytes) };
  await db
    .insertInto("regions")
    .values({ code, ...row })
    .onConflict((conflict) =>
      conflict
        .column("code")
        .doUpdateSet({ ...row, reported_at: sql`now()`, problem: null, problem_since: null }),
    )
    .execute();
}

/** Its platform does not answer; since when is kept from the first time on. */
export async function reportRegionProblem(db: Db, code: string, message: string): Promise<void> {
  await db
    .updateTable("regions")
    .set({ problem: message, problem_since: sql<Date>`coalesce(problem_since, now())` })
    .where("code", "=", code)
    .execute();
}

/** Adds endpoint ports that were seen free; those known already stay as they are. */
export async function addPorts(db: Db, code: string, ports: readonly number[]): Promise<void> {
  if (ports.length === 0) return;
  await db
    .insertInto("ports")
    .values(ports.map((port) => ({ region_code: code, port, service_id: null })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** How many ports are ready for services to come. */
export async function portStock(db: Db, code: string): Promise<number> {
  const { count } = await db
    .selectFrom("ports")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("region_code", "=", code)
    .where("service_id", "is", null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Every port that is in stock or belongs to a service. */
export async function takenPorts(db: Db, code: string): Promise<ReadonlySet<number>> {
  const rows = await db.selectFrom("ports").select("port").where("region_code", "=", code).execute();
  return new Set(rows.map(({ port }) => port));
}

/**
 * Gives spare ports to a service, fewer than `count` where there are no more. Random ones, so that a client of a service
 * that is gone does not find another behind its old endpoint.
 */
export async function takePorts(
  trx: Trx,
  code: string,
  serviceId: string,
  count: number,
): Promise<readonly number[]> {
  if (!isText(code)) return [];
  const taken = await trx
    .updateTable("ports")
    .set({ service_id: serviceId })
    .where("region_code", "=", code)
    .where("port", "in", (query) =>
      query
        .selectFrom("ports")
        .select("port")
        .where("region_code", "=", code)
        .where("service_id", "is", null)
        .orderBy(sql`random()`)
        .limit(count)
        .forUpdate()
        .skipLocked(),
    )
    .returning("port")
    .execute();
  return taken.map(({ port }) => port);
}

/** Takes all ports back from the service they were given to. */
export async function returnPorts(trx: Trx, code: string, serviceId: string): Promise<void> {
  await trx
    .updateTable("ports")
    .set({ service_id: null })
    .where("region_code", "=", code)
    .where("service_id", "=", serviceId)
    .execute();
}

/** Every region with its room as it is this moment, the one with the most free memory, relative to what it has, first. */
export async function regionsByRoom(db: Db): Promise<readonly Room[]> {
  const rooms = await selectRooms(db, sql<SqlBool>`true`, null);
  const used = ({ capacity, promised }: Room) => promised.memoryBytes / Math.max(1, capacity.memoryBytes);
  return rooms.toSorted((a, b) => used(a) - used(b) || a.code.localeCompare(b.code));
}

/**
 * The room of a region, which stays as it is until the transaction ends: promises in one region are made one after
 * another. null where there is no such region.
 *
 * @param exceptServiceId a service whose own share is not counted
 */
export async function lockRoom(trx: Trx, code: string, exceptServiceId: string | null): Promise<Room | null> {
  if (!isText(code)) return null;
  const locked = await trx
    .selectFrom("regions")
    .select("code")
    .where("code", "=", code)
    .forUpdate()
    .executeTakeFirst();
  if (!locked) return null;
  // A statement of its own: its snapshot has to be younger than the lock, or promises just made would be missed.
  const rooms = await selectRooms(trx, sql<SqlBool>`regions.code = ${code}`, exceptServiceId);
  return rooms[0] ?? null;
}

async function selectRooms(
  db: Db,
  which: ReturnType<typeof sql<SqlBool>>,
  exceptServiceId: string | null,
): Promise<readonly Room[]> {
  const members = sql`1 + services.replica_count`;
  const cpu = sql<number>`coalesce(sum((${members}) * coalesce(services.cpu_millis, ${SHARED_SHARE.cpuMillis}))::bigint, 0)`;
  const memory = sql<number>`coalesce(sum((${members}) * coalesce(services.memory_gbs, ${SHARED_SHARE.memoryGbs}))::bigint, 0)`;
  const rows = await db
    .selectFrom("regions")
    .leftJoin("services", (join) =>
      join
        .onRef("services.region_code", "=", "regions.code")
        .on("services.presence", "=", "present")
        .on(sql<SqlBool>`services.id is distinct from ${exceptServiceId}`),
    )
    .select(["regions.code", "regions.cpu_millis", "regions.memory_bytes"])
    .select([cpu.as("promised_cpu_millis"), memory.as("promised_memory_gbs")])
    .where(which)
    .groupBy("regions.code")
    .execute();
  return rows.map((row) => ({
    code: row.code,
    capacity: { cpuMillis: row.cpu_millis, memoryBytes: row.memory_bytes },
    promised: { cpuMillis: row.promised_cpu_millis, memoryBytes: row.promised_memory_gbs * GIB },
  }));
}

/** No text in PostgreSQL has a NUL in it, and asking for one is an error there. */
export function isText(code: string): boolean {
  return !code.includes("\0");
}
