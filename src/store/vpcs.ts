/** VPCs as the API reads and changes them; what a region's platform makes of them is told in vpc-networks.ts. */
import { type SqlBool, sql } from "kysely";
import { cidrsOverlap } from "../contract/cidr.ts";
import { MAX_VPCS_PER_PROJECT } from "../contract/vpcs.ts";
import type { Db, Trx } from "./db.ts";
import { isText } from "./regions.ts";
import { wake } from "./wake.ts";

export const VPC_SHOWN = [
  "id",
  "project_id",
  "name",
  "cidr",
  "region_code",
  "network_id",
  "problem",
] as const;

export interface VpcRow {
  readonly id: number;
  readonly project_id: string;
  readonly name: string;
  readonly cidr: string;
  readonly region_code: string;
  /** The engine's id of its network; null: it is not there. */
  readonly network_id: string | null;
  readonly problem: string | null;
}

export interface VpcRequest {
  readonly projectId: string;
  readonly vpcId: number;
  readonly actor: string;
}

export type CreateVpcOutcome =
  | { readonly kind: "created"; readonly vpc: VpcRow }
  | { readonly kind: "unknown-region"; readonly known: readonly string[] }
  /** There are several regions, and it was not said which. */
  | { readonly kind: "which-region"; readonly known: readonly string[] }
  | { readonly kind: "taken"; readonly cidr: string; readonly usedBy: string }
  | { readonly kind: "too-many" };

export async function createVpc(
  db: Db,
  request: {
    readonly projectId: string;
    readonly actor: string;
    readonly name: string;
    /** In canonical form. */
    readonly cidr: string;
    /** null: the only one there is. */
    readonly regionCode: string | null;
  },
): Promise<CreateVpcOutcome> {
  const outcome = await db.transaction().execute(async (trx): Promise<CreateVpcOutcome> => {
    const regions = await trx.selectFrom("regions").select("code").orderBy("code").execute();
    const known = regions.map(({ code }) => code);
    if (request.regionCode === null && known.length > 1) return { kind: "which-region", known };
    const regionCode = request.regionCode ?? known[0];
    if (regionCode === undefined || !isText(regionCode)) return { kind: "unknown-region", known };
    // Ranges of one region are given away one after another.
    const region = await trx
      .selectFrom("regions")
      .select("used_ranges")
      .where("code", "=", regionCode)
      .forUpdate()
      .executeTakeFirst();
    if (!region) return { kind: "unknown-region", known };
    const used = region.used_ranges.find(({ cidr }) => cidrsOverlap(cidr, request.cidr));
    if (used) return { kind: "taken", ...used };
    const other = await overlapping(trx, regionCode, request.cidr);
    if (other) return { kind: "taken", cidr: other.cidr, usedBy: nameFor(request.projectId, other) };
    const { count } = await trx
      .selectFrom("vpcs")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("project_id", "=", request.projectId)
      .executeTakeFirstOrThrow();
    if (count >= MAX_VPCS_PER_PROJECT) return { kind: "too-many" };
    const { projectId: project_id, name, cidr } = request;
    const vpc = await trx
      .insertInto("vpcs")
      .values({ project_id, name, cidr, region_code: regionCode })
      .returning(VPC_SHOWN)
      .executeTakeFirstOrThrow();
    await tellOfVpc(trx, request, "vpc.created", `VPC ${vpc.id} (${name}) with ${cidr} was accepted.`);
    return { kind: "created", vpc };
  });
  if (outcome.kind === "created") wake(db);
  return outcome;
}

function overlapping(trx: Trx, regionCode: string, cidr: string) {
  return trx
    .selectFrom("vpcs")
    .select(["id", "project_id", "cidr"])
    .where("region_code", "=", regionCode)
    .where(sql<SqlBool>`vpcs.cidr && ${cidr}::cidr`)
    .orderBy("id")
    .executeTakeFirst();
}

/** Of other projects nothing is told but that their range is taken. */
function nameFor(projectId: string, vpc: { readonly id: number; readonly project_id: string }): string {
  return vpc.project_id === projectId ? `VPC ${vpc.id}` : "another VPC";
}

export async function getVpc(db: Db, projectId: string, vpcId: number): Promise<VpcRow | null> {
  const found = await db
    .selectFrom("vpcs")
    .select(VPC_SHOWN)
    .where("id", "=", vpcId)
    .where("project_id", "=", projectId)
    .executeTakeFirst();
  return found ?? null;
}

/** In the order they were made. */
export async function listVpcs(db: Db, projectId: string): Promise<readonly VpcRow[]> {
  return db.selectFrom("vpcs").select(VPC_SHOWN).where("project_id", "=", projectId).orderBy("id").execute();
}

export async function renameVpc(db: Db, request: VpcRequest, name: string): Promise<VpcRow | null> {
  return db.transaction().execute(async (trx) => {
    const renamed = await trx
      .updateTable("vpcs")
      .set({ name })
      .where("id", "=", request.vpcId)
      .where("project_id", "=", request.projectId)
      .returning(VPC_SHOWN)
      .executeTakeFirst();
    if (!renamed) return null;
    await tellOfVpc(trx, request, "vpc.renamed", `VPC ${renamed.id} is called ${name} from now on.`);
    return renamed;
  });
}

export type DeleteVpcOutcome =
  | { readonly kind: "deleted" | "missing" }
  | {
      readonly kind: "in-use";
      readonly serviceIds: readonly string[];
      readonly peeringIds: readonly number[];
    };

/** The network goes once nobody stands in it; the range is free for other VPCs at once. */
export async function deleteVpc(db: Db, request: VpcRequest): Promise<DeleteVpcOutcome> {
  const { vpcId } = request;
  const outcome = await db.transaction().execute(async (trx): Promise<DeleteVpcOutcome> => {
    const vpc = await lockVpc(trx, request);
    if (!vpc) return { kind: "missing" };
    const services = await trx
      .selectFrom("services")
      .select("id")
      .where("vpc_id", "=", vpcId)
      .where("presence", "=", "present")
      .orderBy("id")
      .execute();
    const peerings = await trx
      .selectFrom("peerings")
      .select("id")
      .where("vpc_id", "=", vpcId)
      .orderBy("id")
      .execute();
    if (services.length > 0 || peerings.length > 0) {
      const ids = <Id>(rows: readonly { readonly id: Id }[]) => rows.map(({ id }) => id);
      return { kind: "in-use", serviceIds: ids(services), peeringIds: ids(peerings) };
    }
    await trx.deleteFrom("vpcs").where("id", "=", vpcId).execute();
    await tellOfVpc(trx, request, "vpc.deleted", `VPC ${vpcId} (${vpc.name}) was deleted.`);
    return { kind: "deleted" };
  });
  if (outcome.kind === "deleted") wake(db);
  return outcome;
}

/** Stays as it is until the transaction ends. null where the project has no such one. */
export async function lockVpc(
  trx: Trx,
  { projectId, vpcId }: Pick<VpcRequest, "projectId" | "vpcId">,
): Promise<VpcRow | null> {
  const found = await trx
    .selectFrom("vpcs")
    .select(VPC_SHOWN)
    .where("id", "=", vpcId)
    .where("project_id", "=", projectId)
    .forUpdate()
    .executeTakeFirst();
  return found ?? null;
}

/** An event of the project, since a VPC is no service's. */
export async function tellOfVpc(
  trx: Trx,
  { projectId, actor }: Pick<VpcRequest, "projectId" | "actor">,
  type: string,
  message: string,
): Promise<void> {
  const event = { project_id: projectId, service_id: null, actor, type, message, data: "{}" };
  await trx.insertInto("events").values(event).execute();
}

const LOOK_EVERY_MS = 20;

/** Waits until its network is there; whether it is then tells the row. null once it is gone. */
export async function awaitVpc(
  db: Db,
  projectId: string,
  vpcId: number,
  timeoutMs: number,
): Promise<VpcRow | null> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const vpc = await getVpc(db, projectId, vpcId);
    if (!vpc || vpc.network_id !== null || vpc.problem !== null || performance.now() >= deadline) return vpc;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
