/** A service that is due, as a reconciler gets it: its row, opened. */
import type { Condition } from "../contract/conditions.ts";
import type { InForce } from "../contract/in-force.ts";
import type { ServiceStatus } from "../contract/service.ts";
import type { Encryption } from "./encryption.ts";
import { type Identity, identityOf } from "./identity.ts";
import type { Power, ServiceRow, Sizing } from "./schema.ts";
import { type Shape, shapeOf } from "./service-row.ts";
import type { WantedVpc } from "./wanted-vpc.ts";

export interface DueService extends Shape {
  readonly serviceId: string;
  readonly projectId: string;
  readonly name: string;
  readonly regionCode: string;
  readonly identity: Identity;
  readonly generation: number;
  readonly settledGeneration: number;
  readonly settledPower: Power;
  readonly presence: "present" | "absent";
  readonly passwordVersion: number;
  readonly forkedFrom: string | null;
  /** As DesiredService has it. */
  readonly readsFrom: string | null;
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

/** What claimDue really returns: the number of the claim goes along, so that its own writes can be told from others'. */
export interface LeasedService extends DueService {
  readonly lease: number;
}

/** 0 is no claim's number: what was never claimed is never ours. */
export function leaseOf(service: DueService | LeasedService): number {
  return "lease" in service ? service.lease : 0;
}

/** null where the secrets cannot be opened. */
export function leasedService(
  row: ServiceRow & { vpc: WantedVpc | null },
  encryption: Encryption,
): LeasedService | null {
  const identity = identityOf(row, encryption);
  if (identity === null) return null;
  return {
    serviceId: row.id,
    projectId: row.project_id,
    name: row.name,
    regionCode: row.region_code,
    identity,
    generation: row.generation,
    settledGeneration: row.settled_generation,
    settledPower: row.settled_power,
    presence: row.presence,
    ...shapeOf(row),
    passwordVersion: row.password_version,
    forkedFrom: row.forked_from,
    readsFrom: row.read_from,
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
