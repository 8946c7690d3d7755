import type { DueService } from "../../src/store/due-service.ts";
import { desiredService, serviceIdentity } from "./services.ts";

/** A service as the queue hands it out, just created unless told otherwise. */
export function dueService(changes: Partial<DueService> = {}): DueService {
  const desired = desiredService();
  const { addons, port, poolerPort, secrets } = serviceIdentity(desired.serviceId, 20_000);
  return {
    ...desired,
    projectId: "pppppppppp",
    name: "orders",
    regionCode: "local",
    readPlace: null,
    addons,
    endpointPort: port,
    poolerPort,
    secrets,
    status: "QUEUED",
    statusReason: "Waiting for its turn.",
    conditions: [],
    inForce: null,
    waiting: null,
    attempts: 0,
    ...changes,
  };
}
