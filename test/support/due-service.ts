import type { DueService } from "../../src/store/due-service.ts";
import { desiredService, serviceIdentity } from "./services.ts";

/** A service as the queue hands it out, just created unless told otherwise. */
export function dueService(changes: Partial<DueService> = {}): DueService {
  const desired = desiredService();
  return {
    ...desired,
    projectId: "pppppppppp",
    name: "orders",
    regionCode: "local",
    identity: serviceIdentity(changes.serviceId ?? desired.serviceId, 20_000),
    status: "QUEUED",
    statusReason: "Waiting for its turn.",
    conditions: [],
    inForce: null,
    waiting: null,
    attempts: 0,
    ...changes,
  };
}
