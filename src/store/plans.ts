/** Services as they are planned for: what is desired of them, what was last seen of them, and what they wait for. */
import type { Condition } from "../contract/conditions.ts";
import type { Db, Trx } from "./db.ts";
import type { Power, Sizing } from "./schema.ts";
import { SHOWN, type Shape, shapeOf } from "./service-row.ts";
import type { ChangeOutcome } from "./services.ts";
import { WANTED_VPC, type WantedVpc } from "./wanted-vpc.ts";

export interface PlannedService extends Shape {
  readonly serviceId: string;
  readonly name: string;
  readonly generation: number;
  readonly settledGeneration: number;
  readonly settledPower: Power;
  readonly settledSizing: Sizing | null;
  readonly presence: "present" | "absent";
  readonly passwordVersion: number;
  readonly forkedFrom: string | null;
  readonly readsFrom: string | null;
  readonly vpc: WantedVpc | null;
  readonly handOverFrom: number | null;
  readonly statusReason: string;
  readonly conditions: readonly Condition[];
  readonly waiting: { readonly reason: string; readonly since: Date } | null;
  /** null: nothing was seen of it yet. */
  readonly observation: { readonly at: Date; readonly observed: unknown } | null;
}

export type Rehearsal =
  | { readonly kind: "rehearsed"; readonly service: PlannedService }
  | Exclude<ChangeOutcome, { kind: "changed" }>;

export async function getPlannedService(
  db: Db,
  projectId: string,
  serviceId: string,
): Promise<PlannedService | null> {
  const row = await selectPlanned(db, projectId).where("id", "=", serviceId).executeTakeFirst();
  return row ? plannedService(row) : null;
}

/** The service, and the read replica sets that read from it, in the order they were created; null where there is none. */
export async function getPlannedFamily(
  db: Db,
  projectId: string,
  serviceId: string,
): Promise<{ readonly service: PlannedService; readonly sets: readonly PlannedService[] } | null> {
  const rows = await selectPlanned(db, projectId)
    .where((row) => row("id", "=", serviceId).or("read_from", "=", serviceId))
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  const service = rows.find(({ id }) => id === serviceId);
  if (!service) return null;
  const sets = rows.filter((row) => row !== service);
  return { service: plannedService(service), sets: sets.map(plannedService) };
}

function selectPlanned(db: Db, projectId: string) {
  return db
    .selectFrom("services")
    .leftJoin("observations", "observations.service_id", "services.id")
    .select(SHOWN)
    .select(["settled_power", "settled_sizing", "hand_over_from", "waiting_reason", "waiting_since"])
    .select(["observed_at", "observed"])
    .select(WANTED_VPC.as("vpc"))
    .where("project_id", "=", projectId);
}

type PlannedRow = Awaited<ReturnType<ReturnType<typeof selectPlanned>["executeTakeFirstOrThrow"]>>;

function plannedService(row: PlannedRow): PlannedService {
  const { waiting_reason: reason, waiting_since: since, observed_at: at, observed } = row;
  return {
    serviceId: row.id,
    name: row.name,
    generation: row.generation,
    settledGeneration: row.settled_generation,
    settledPower: row.settled_power,
    settledSizing: row.settled_sizing,
    presence: row.presence,
    ...shapeOf(row),
    passwordVersion: row.password_version,
    forkedFrom: row.forked_from,
    readsFrom: row.read_from,
    vpc: row.vpc,
    handOverFrom: row.hand_over_from,
    statusReason: row.status_reason,
    conditions: row.conditions,
    waiting: reason === null || since === null ? null : { reason, since },
    observation: at === null ? null : { at, observed },
  };
}

/**
 * Makes a change as it would be made, looks at what would then be planned for, and undoes it: nobody sees anything of it,
 * and what would be refused is refused.
 */
export async function rehearse(
  db: Db,
  { projectId, serviceId }: { readonly projectId: string; readonly serviceId: string },
  change: (trx: Trx) => Promise<ChangeOutcome>,
): Promise<Rehearsal> {
  const undone = new Error("a rehearsal is over");
  let rehearsal: Rehearsal = { kind: "missing" };
  try {
    await db.transaction().execute(async (trx) => {
      const outcome = await change(trx);
      if (outcome.kind !== "changed") rehearsal = outcome;
      else {
        const service = await getPlannedService(trx, projectId, serviceId);
        if (service) rehearsal = { kind: "rehearsed", service };
      }
      throw undone;
    });
  } catch (error) {
    if (error !== undone) throw error;
  }
  return rehearsal;
}
