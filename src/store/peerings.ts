/** Peerings of VPCs with other networks of the engine, and whether they are what they are meant to be. */
import { type SqlBool, sql } from "kysely";
import { MAX_PEERINGS_PER_VPC } from "../contract/vpcs.ts";
import type { Db } from "./db.ts";
import { touchAttached } from "./vpc-networks.ts";
import { lockVpc, tellOfVpc, type VpcRequest } from "./vpcs.ts";
import { wake } from "./wake.ts";

export interface PeeringRow {
  readonly id: number;
  readonly peer_account_id: string;
  readonly peer_region_code: string;
  readonly peer_vpc_id: string;
  /** Of the network that was found; null: none yet, or none any more. */
  readonly network_id: string | null;
  readonly problem: string | null;
  /** How many services of the VPC are not reached by it. */
  readonly unreached: number;
}

export interface NewPeering {
  readonly peer_account_id: string;
  readonly peer_region_code: string;
  readonly peer_vpc_id: string;
}

export type CreatePeeringOutcome =
  | { readonly kind: "created"; readonly peering: PeeringRow }
  | { readonly kind: "missing" }
  | { readonly kind: "peered-already"; readonly peeringId: number }
  | { readonly kind: "too-many" };

export async function createPeering(
  db: Db,
  request: VpcRequest,
  peer: NewPeering,
): Promise<CreatePeeringOutcome> {
  const outcome = await db.transaction().execute(async (trx): Promise<CreatePeeringOutcome> => {
    const vpc = await lockVpc(trx, request);
    if (!vpc) return { kind: "missing" };
    const others = await trx
      .selectFrom("peerings")
      .select(["id", "peer_vpc_id"])
      .where("vpc_id", "=", vpc.id)
      .execute();
    const same = others.find(({ peer_vpc_id }) => peer_vpc_id === peer.peer_vpc_id);
    if (same) return { kind: "peered-already", peeringId: same.id };
    if (others.length >= MAX_PEERINGS_PER_VPC) return { kind: "too-many" };
    const { id } = await trx
      .insertInto("peerings")
      .values({ ...peer, vpc_id: vpc.id })
      .returning("id")
      .executeTakeFirstOrThrow();
    const message = `Peering ${id} of VPC ${vpc.id} with ${peer.peer_vpc_id} was accepted.`;
    await tellOfVpc(trx, request, "vpc.peering.created", message);
    return {
      kind: "created",
      peering: { id, ...peer, network_id: null, problem: null, unreached: 0 },
    };
  });
  if (outcome.kind === "created") wake(db);
  return outcome;
}

/** null where the project has no such VPC. */
export async function listPeerings(
  db: Db,
  { projectId, vpcId }: Pick<VpcRequest, "projectId" | "vpcId">,
): Promise<readonly PeeringRow[] | null> {
  const vpc = await db
    .selectFrom("vpcs")
    .select("id")
    .where("id", "=", vpcId)
    .where("project_id", "=", projectId)
    .executeTakeFirst();
  if (!vpc) return null;
  return db
    .selectFrom("peerings")
    .select(["id", "peer_account_id", "peer_region_code", "peer_vpc_id", "network_id", "problem"])
    .select((query) =>
      query
        .selectFrom("services")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .whereRef("services.vpc_id", "=", "peerings.vpc_id")
        .where("services.presence", "=", "present")
        .where(
          sql<SqlBool>`not coalesce(services.in_force -> 'vpc' -> 'peerings' ? peerings.id::text, false)`,
        )
        .as("unreached"),
    )
    .where("vpc_id", "=", vpcId)
    .orderBy("id")
    .execute()
    .then((rows) => rows.map((row) => ({ ...row, unreached: row.unreached ?? 0 })));
}

/** false where there is none. */
export async function deletePeering(db: Db, request: VpcRequest, peeringId: number): Promise<boolean> {
  const deleted = await db.transaction().execute(async (trx) => {
    const vpc = await lockVpc(trx, request);
    const peering =
      vpc &&
      (await trx
        .deleteFrom("peerings")
        .where("id", "=", peeringId)
        .where("vpc_id", "=", vpc.id)
        .returning("peer_vpc_id")
        .executeTakeFirst());
    if (!peering) return false;
    await touchAttached(trx, vpc.id);
    const message = `Peering ${peeringId} of VPC ${vpc.id} with ${peering.peer_vpc_id} was deleted.`;
    await tellOfVpc(trx, request, "vpc.peering.deleted", message);
    return true;
  });
  if (deleted) wake(db);
  return deleted;
}
