/** What a service's status has to do with stopping and starting it. Pure. */
import type { ServiceRecord } from "../../../src/client/index.ts";

export type Power = "start" | "stop";

type Told = Pick<ServiceRecord, "status">;

/** What a person would do to a service in this state. */
export function powerOf({ status }: Told): Power {
  return status === "PAUSED" || status === "PAUSING" ? "start" : "stop";
}

/** Why neither can be done now; null: it can. */
export function whyNoPower({ status }: Told): string | null {
  if (status === "QUEUED" || status === "CONFIGURING")
    return "The service is still being created; it can be stopped once it was ready.";
  return status === "DELETING" ? "The service is being deleted." : null;
}
