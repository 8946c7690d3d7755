import type { Size } from "../contract/size.ts";
import type { PostgresSettings } from "./settings.ts";

/** What a service shall be: the input that users control. */
export interface DesiredService {
  readonly serviceId: string;
  /** Grows by one with every accepted change. */
  readonly generation: number;
  /** The newest generation that was once seen fully in force. 0: none yet, the service has never been ready. */
  readonly settledGeneration: number;
  readonly presence: "present" | "absent";
  readonly power: Power;
  /**
   * What the service comes from: its power before the last change of that, until the new one was seen in force. While it
   * is not the one wanted, the service is on its way.
   */
  readonly settledPower: Power;
  readonly size: Size;
  readonly replicaCount: number;
  /** A subset of replicaCount. */
  readonly syncReplicaCount: number;
  readonly pooler: boolean;
  /** CIDRs from which clients may connect, in canonical form and order. */
  readonly allowList: readonly string[];
  /** What was chosen in place of the size's own settings, as PostgreSQL prints it. */
  readonly parameters: PostgresSettings;
  /** Grows with every password that is set for the service's first role. */
  readonly passwordVersion: number;
  /** The size and parameters that were last seen fully in force; null: none yet. */
  readonly settledSizing: Sizing | null;
  /** The member that was asked to hand its lead over, until the service was seen settled after that; null: none was. */
  readonly handOverFrom: number | null;
  /** The service whose data this one begins with; null: it begins empty. */
  readonly forkedFrom: string | null;
  /** The service whose primary its members follow; they are then equals that only read. null: it has a primary of its own. */
  readonly readsFrom: string | null;
  /** The VPC from whose network it is reached as well; null: none. */
  readonly vpc: DesiredVpc | null;
}

export interface DesiredVpc {
  readonly vpcId: string;
  readonly cidr: string;
  /** Why its network cannot be joined; null: it is there. */
  readonly problem: string | null;
  /** Other networks that reach the VPC's services, by their names; only those that are there. */
  readonly peerings: readonly { readonly peeringId: string; readonly network: string }[];
}

/** What a server needs memory and CPU for: more of it than there is keeps it from starting. */
export interface Sizing {
  readonly size: Size;
  /** As DesiredService has them. */
  readonly parameters: PostgresSettings;
}

export type Power = "running" | "stopped";
