/** Read replica sets in the store: services whose members follow the primary of another one. */
import { sql } from "kysely";
import { MAX_READ_NODES_IN_ALL, MAX_READ_SETS } from "../contract/read-replica-sets.ts";
import type { Db, Trx } from "./db.ts";
import { type Service, SHOWN } from "./service-row.ts";

export type Held =
  | {
      readonly kind: "held";
      readonly place: number;
      /** What the set has from the service that it reads from. */
      readonly inherited: Pick<Service, "allow_list" | "parameters">;
    }
  | { readonly kind: "parent-gone" }
  | { readonly kind: "conflict"; readonly message: string };

/** Of all these services, in the order they were created. */
export async function listReadReplicaSets(db: Db, parentIds: readonly string[]): Promise<readonly Service[]> {
  if (parentIds.length === 0) return [];
  return db
    .selectFrom("services")
    .select(SHOWN)
    .where("read_from", "in", [...parentIds])
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/** Keeps the service as it is until the transaction ends, and finds a place beside it for one more set. */
export async function holdForReading(trx: Trx, parentId: string, nodes: number): Promise<Held> {
  const parent = await trx
    .selectFrom("services")
    .select(["presence", "power", "read_from", "allow_list", "parameters"])
    .where("id", "=", parentId)
    .forUpdate()
    .executeTakeFirst();
  if (parent?.presence !== "present") return { kind: "parent-gone" };
  if (parent.read_from !== null) return conflict("a read replica set cannot be read from");
  if (parent.power === "stopped") return conflict("the service is stopped; start it first");
  const sets = await trx
    .selectFrom("services")
    .select(["read_place", "replica_count"])
    .where("read_from", "=", parentId)
    .execute();
  const refusal = refuseNodes(
    sets.map(({ replica_count }) => 1 + replica_count),
    nodes,
  );
  if (refusal !== null) return conflict(refusal);
  const taken = new Set(sets.map(({ read_place }) => read_place));
  const place = Array.from({ length: MAX_READ_SETS }, (_, index) => index).find((index) => !taken.has(index));
  if (place === undefined) return conflict(`a service has at most ${MAX_READ_SETS} read replica sets`);
  return { kind: "held", place, inherited: parent };
}

/** Why there cannot be so many nodes more beside those of the other sets; null where there can. Pure. */
export function refuseNodes(others: readonly number[], nodes: number): string | null {
  const used = others.reduce((sum, count) => sum + count, 0);
  return used + nodes > MAX_READ_NODES_IN_ALL
    ? `the read replica sets of a service have at most ${MAX_READ_NODES_IN_ALL} nodes in all, and ${used} are used`
    : null;
}

/** What a set has from its service follows it. After a change of that, in the same transaction. */
export async function passOn(trx: Trx, parentId: string): Promise<void> {
  await trx
    .updateTable("services as sets")
    .from("services as parent")
    .whereRef("sets.read_from", "=", "parent.id")
    .where("parent.id", "=", parentId)
    .where(
      sql<boolean>`(sets.allow_list, sets.parameters) is distinct from (parent.allow_list, parent.parameters)`,
    )
    .set({
      allow_list: sql`parent.allow_list`,
      parameters: sql`parent.parameters`,
      generation: sql`sets.generation + 1`,
      due_at: sql`now()`,
      attempts: 0,
    })
    .execute();
}

function conflict(message: string): Held {
  return { kind: "conflict", message };
}
