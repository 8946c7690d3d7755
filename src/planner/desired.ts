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
  /** The service whose data this one begins with; null: it begins empty. */
  readonly forkedFrom: string | null;
}

export type Power = "running" | "stopped";
