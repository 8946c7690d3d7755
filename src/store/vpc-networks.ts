/** What a region's platform makes of VPCs: which networks there shall be, and what was found. */
import { type SqlBool, sql } from "kysely";
import type { Db, Trx } from "./db.ts";
import type { UsedRange } from "./schema.ts";
import { NEXT_GENERATION } from "./services.ts";
import { tellOfVpc } from "./vpcs.ts";
import { wake } from "./wake.ts";

/** The actor of what the control plane does by itself. */
const ACTOR = "howdah";

/** A VPC as a region has to make it. */
export interface WantedVpc {
  readonly vpcId: string;
  readonly cidr: string;
  readonly networkId: string | null;
  readonly problem: string | null;
  readonly peerings: readonly WantedPeering[];
}

export interface WantedPeering {
  readonly peeringId: string;
  readonly regionCode: string;
  /** The other network's name. */
  readonly network: string;
  readonly networkId: string | null;
  readonly problem: string | null;
}

/** The network that is there, or why it is not. */
export type Found =
  | { readonly networkId: string; readonly problem: null }
  | { readonly networkId: null; readonly problem: string };

/** Every VPC of a region, whoever's it is. */
export async function wantedVpcs(db: Db, regionCode: string): Promise<readonly WantedVpc[]> {
  const vpcs = await db
    .selectFrom("vpcs")
    .select(["id", "cidr", "network_id", "problem"])
    .where("region_code", "=", regionCode)
    .orderBy("id")
    .execute();
  const peerings = await db
    .selectFrom("peerings")
    .innerJoin("vpcs", "vpcs.id", "peerings.vpc_id")
    .selectAll("peerings")
    .where("vpcs.region_code", "=", regionCode)
    .orderBy("peerings.id")
    .execute();
  const byVpc = Map.groupBy(peerings, ({ vpc_id }) => vpc_id);
  return vpcs.map((vpc) => ({
    vpcId: String(vpc.id),
    cidr: vpc.cidr,
    networkId: vpc.network_id,
    problem: vpc.problem,
    peerings: (byVpc.get(vpc.id) ?? []).map((peering) => ({
      peeringId: String(peering.id),
      regionCode: peering.peer_region_code,
      network: peering.peer_vpc_id,
      networkId: peering.network_id,
      problem: peering.problem,
    })),
  }));
}

/** What VPCs of the region must not overlap with. */
export async function reportUsedRanges(
  db: Db,
  regionCode: string,
  ranges: readonly UsedRange[],
): Promise<void> {
  const text = JSON.stringify(ranges);
  await db
    .updateTable("regions")
    .set({ used_ranges: text })
    .where("code", "=", regionCode)
    .where(sql<SqlBool>`used_ranges <> ${text}::jsonb`)
    .execute();
}

/** The services that are attached hear of it. */
export async function noteVpc(db: Db, vpcId: string, { networkId, problem }: Found): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const noted = await trx
      .updateTable("vpcs")
      .set({ network_id: networkId, problem })
      .where("id", "=", Number(vpcId))
      .returning(["id", "project_id"])
      .executeTakeFirst();
    if (!noted) return;
    await touchAttached(trx, noted.id);
    await tellFound(trx, noted.project_id, "vpc.network", `The network of VPC ${vpcId}`, problem);
  });
  wake(db);
}

/** The services that are attached to its VPC hear of it. */
export async function notePeering(db: Db, peeringId: string, { networkId, problem }: Found): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const noted = await trx
      .updateTable("peerings")
      .set({ network_id: networkId, problem })
      .where("peerings.id", "=", Number(peeringId))
      .from("vpcs")
      .whereRef("vpcs.id", "=", "peerings.vpc_id")
      .returning(["vpc_id", "peer_vpc_id", "vpcs.project_id"])
      .executeTakeFirst();
    if (!noted) return;
    await touchAttached(trx, noted.vpc_id);
    const what = `The network ${noted.peer_vpc_id} of peering ${peeringId}`;
    await tellFound(trx, noted.project_id, "vpc.peering", what, problem);
  });
  wake(db);
}

function tellFound(trx: Trx, projectId: string, type: string, what: string, problem: string | null) {
  return problem === null
    ? tellOfVpc(trx, { projectId, actor: ACTOR }, `${type}.found`, `${what} is there.`)
    : tellOfVpc(trx, { projectId, actor: ACTOR }, `${type}.trouble`, `${what} cannot be used: ${problem}`);
}

/** What is wanted of the services that are attached to a VPC has changed with it. */
export async function touchAttached(trx: Trx, vpcId: number): Promise<void> {
  await trx
    .updateTable("services")
    .set(NEXT_GENERATION)
    .where("vpc_id", "=", vpcId)
    .where("presence", "=", "present")
    .execute();
}
