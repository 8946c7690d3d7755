import type { Size } from "../contract/size.ts";

/** What a service shall be: the input that users control. */
export interface DesiredService {
  readonly serviceId: string;
  /** Grows by one with every accepted change. */
  readonly generation: number;
  /** The newest generation that was once seen fully in force. 0: none yet, the service has never been ready. */
  readonly settledGeneration: number;
  readonly presence: "present" | "absent";
  readonly size: Size;
  readonly replicaCount: number;
  /** A subset of replicaCount. */
  readonly syncReplicaCount: number;
}
