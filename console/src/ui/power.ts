/** Whether a service can be stopped or started now, and why not. Pure. */
import type { ServiceRecord } from "../../../src/client/index.ts";

export type Power = "start" | "stop";

type Told = Pick<ServiceRecord, "status" | "read_replica_sets">;

/** What a person would do to a service in this state. */
export function powerOf({ status }: Pick<Told, "status">): Power {
  return status === "PAUSED" || status === "PAUSING" ? "start" : "stop";
}

/** Why neither can be done now; null: it can. */
export function whyNoPower({ status, read_replica_sets: sets = [] }: Told): string | null {
  if (status === "QUEUED" || status === "CONFIGURING")
    return "The service is still being created; it can be stopped once it was ready.";
  if (status === "DELETING") return "The service is being deleted.";
  return sets.length > 0 && powerOf({ status }) === "stop"
    ? "Its read replica sets would have nobody to follow. Delete them first, in the settings."
    : null;
}
