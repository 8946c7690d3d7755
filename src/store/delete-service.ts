/** The deletion of a service: from when it is accepted, the reconciler removes what there is of it. */
import { type SqlBool, sql } from "kysely";
import type { Db } from "./db.ts";
import { listReadReplicaSets } from "./read-replica-sets.ts";
import type { Service } from "./service-row.ts";
import {
  type ChangeOutcome,
  type ChangeRequest,
  getService,
  lockService,
  misplacement,
  NEXT_GENERATION,
  update,
} from "./services.ts";
import { wake } from "./wake.ts";

export type DeleteOutcome =
  | { readonly kind: "deleting"; readonly service: Service }
  | Extract<ChangeOutcome, { kind: "missing" | "conflict" }>
  | { readonly kind: "protected" }
  /** Forks that have not got all of its data yet. */
  | { readonly kind: "being-copied"; readonly forkIds: readonly string[] };

const DELETION = {
  presence: "absent",
  status: "DELETING",
  status_reason: "The service is being removed.",
  ...NEXT_GENERATION,
} as const;

/** From now on the service shall be absent; one that is being deleted stays as it is. */
export async function deleteService(
  db: Db,
  request: Pick<ChangeRequest, "projectId" | "serviceId" | "actor" | "readsFrom">,
): Promise<DeleteOutcome> {
  const { projectId, serviceId } = request;
  // A statement of its own under the lock: it has to see a fork that was accepted a moment ago.
  const deleting = await db.transaction().execute(async (trx) => {
    const current = await lockService(trx, projectId, serviceId);
    if (!current || misplacement(current, request)) return null;
    const deleted = await update(
      trx,
      DELETION,
      sql<SqlBool>`presence = 'present' and not deletion_protection
      and not exists (select from services as forks where ${isCopying("forks", serviceId)})`,
      {
        ...request,
        type: "service.delete.accepted",
        message: "Deletion was accepted.",
        data: { status: "DELETING" },
      },
    );
    // Those who read from it go with it.
    for (const set of deleted ? await listReadReplicaSets(trx, [serviceId]) : []) {
      const message = `Deletion was accepted, with that of the service ${serviceId}.`;
      const event = { ...request, serviceId: set.id, type: "service.delete.accepted", message };
      await update(trx, DELETION, sql<SqlBool>`presence = 'present'`, event);
    }
    return deleted;
  });
  if (deleting) {
    wake(db);
    return { kind: "deleting", service: deleting };
  }
  const service = await getService(db, projectId, serviceId);
  if (!service) return { kind: "missing" };
  const misplaced = misplacement(service, request);
  if (misplaced) return misplaced;
  if (service.presence === "absent") return { kind: "deleting", service };
  if (service.deletion_protection) return { kind: "protected" };
  const forks = await db
    .selectFrom("services")
    .select("id")
    .where(isCopying("services", serviceId))
    .orderBy("id")
    .execute();
  return { kind: "being-copied", forkIds: forks.map(({ id }) => id) };
}

/** Whether a service is a fork of that one and has not all of its data yet. */
function isCopying(table: "services" | "forks", parentId: string) {
  const fork = sql.table(table);
  return sql<SqlBool>`${fork}.forked_from = ${parentId} and ${fork}.settled_generation = 0
    and ${fork}.presence = 'present'`;
}
