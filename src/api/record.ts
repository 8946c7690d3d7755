/** The Service record whole, with what the store has of it beside its own row. */
import type { Service as Record } from "../contract/service.ts";
import type { Db } from "../store/db.ts";
import { listReadReplicaSets } from "../store/read-replica-sets.ts";
import type { Service } from "../store/service-row.ts";
import { presentService } from "./present.ts";

export async function recordOf(db: Db, service: Service): Promise<Record> {
  return presentService(service, { readReplicaSets: await listReadReplicaSets(db, [service.id]) });
}

/** In the same order. */
export async function recordsOf(db: Db, services: readonly Service[]): Promise<Record[]> {
  const sets = await listReadReplicaSets(
    db,
    services.map(({ id }) => id),
  );
  const byParent = Map.groupBy(sets, ({ read_from }) => read_from);
  return services.map((service) =>
    presentService(service, { readReplicaSets: byParent.get(service.id) ?? [] }),
  );
}
