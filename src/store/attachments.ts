/** Which VPC a service is attached to. */
import { type SqlBool, sql } from "kysely";
import type { Db, Trx } from "./db.ts";
import type { Service } from "./service-row.ts";
import { type ChangeOutcome, lockService, misplacement, NEXT_GENERATION, update } from "./services.ts";
import { lockVpc, type VpcRow } from "./vpcs.ts";
import { wake } from "./wake.ts";

interface Request {
  readonly projectId: string;
  readonly serviceId: string;
  readonly vpcId: number;
  readonly actor: string;
}

export type AttachOutcome =
  /** Also where it was so already: then nothing was changed. */
  | { readonly kind: "accepted"; readonly service: Service }
  | Unchangeable
  | { readonly kind: "other-region"; readonly vpcRegion: string; readonly serviceRegion: string }
  | { readonly kind: "attached-elsewhere"; readonly vpcId: number };

export type DetachOutcome =
  | { readonly kind: "accepted"; readonly service: Service }
  | Unchangeable
  | { readonly kind: "not-attached" };

type Unchangeable =
  | Extract<ChangeOutcome, { kind: "missing" | "deleting" | "conflict" }>
  | { readonly kind: "no-vpc" };

export async function attachToVpc(db: Db, request: Request): Promise<AttachOutcome> {
  return changed(db, request, async (trx, service, vpc): Promise<AttachOutcome> => {
    if (service.vpc_id === vpc.id) return { kind: "accepted", service };
    if (service.vpc_id !== null) return { kind: "attached-elsewhere", vpcId: service.vpc_id };
    if (vpc.region_code !== service.region_code)
      return { kind: "other-region", vpcRegion: vpc.region_code, serviceRegion: service.region_code };
    const message = `The attachment to VPC ${vpc.id} (${vpc.name}) was accepted.`;
    return write(trx, request, vpc.id, "service.vpc.attached", message);
  });
}

export async function detachFromVpc(db: Db, request: Request): Promise<DetachOutcome> {
  return changed(db, request, async (trx, service, vpc): Promise<DetachOutcome> => {
    if (service.vpc_id !== vpc.id) return { kind: "not-attached" };
    const message = `The detachment from VPC ${vpc.id} (${vpc.name}) was accepted.`;
    return write(trx, request, null, "service.vpc.detached", message);
  });
}

/** Everybody locks VPCs before services. */
async function changed<Outcome extends { readonly kind: string }>(
  db: Db,
  { projectId, serviceId, vpcId }: Request,
  change: (trx: Trx, service: Service, vpc: VpcRow) => Promise<Outcome>,
): Promise<Outcome | Unchangeable> {
  const outcome = await db.transaction().execute(async (trx): Promise<Outcome | Unchangeable> => {
    const vpc = await lockVpc(trx, { projectId, vpcId });
    const service = await lockService(trx, projectId, serviceId);
    if (!service) return { kind: "missing" };
    const misplaced = misplacement(service, {});
    if (misplaced) return misplaced;
    if (!vpc) return { kind: "no-vpc" };
    return service.presence === "absent" ? { kind: "deleting" } : change(trx, service, vpc);
  });
  if (outcome.kind === "accepted") wake(db);
  return outcome;
}

async function write(
  trx: Trx,
  request: Request,
  vpcId: number | null,
  type: string,
  message: string,
): Promise<{ readonly kind: "accepted"; readonly service: Service } | { readonly kind: "missing" }> {
  const set = { vpc_id: vpcId, ...NEXT_GENERATION };
  const service = await update(trx, set, sql<SqlBool>`true`, { ...request, type, message });
  return service ? { kind: "accepted", service } : { kind: "missing" };
}
