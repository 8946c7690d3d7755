/** Services as tests want them. */
import { randomBytes } from "node:crypto";
import type { Size } from "../../src/contract/size.ts";
import type { DesiredService } from "../../src/planner/desired.ts";
import type { ServiceIdentity } from "../../src/platforms/platform.ts";

export const SMALL: Size = { kind: "dedicated", cpuMillis: 500, memoryGbs: 2 };
export const LARGE: Size = { kind: "dedicated", cpuMillis: 1000, memoryGbs: 4 };

export function desiredService(changes: Partial<DesiredService> = {}): DesiredService {
  return {
    serviceId: "aaaaaaaaaa",
    generation: 1,
    settledGeneration: 0,
    presence: "present",
    size: SMALL,
    replicaCount: 0,
    syncReplicaCount: 0,
    ...changes,
  };
}

/** A change that was accepted: the next generation. */
export function changed(desired: DesiredService, changes: Partial<DesiredService>): DesiredService {
  return { ...desired, ...changes, generation: desired.generation + 1 };
}

/** The verifier belongs to no password: nobody logs in as the administrator. */
export function serviceIdentity(serviceId: string, port: number): ServiceIdentity {
  const secret = () => randomBytes(16).toString("hex");
  const base64 = (bytes: number) => randomBytes(bytes).toString("base64");
  return {
    serviceId,
    addons: ["time-series"],
    port,
    secrets: {
      adminVerifier: `SCRAM-SHA-256$4096:${base64(16)}$${base64(32)}:${base64(32)}`,
      replicationPassword: secret(),
      rewindPassword: secret(),
      monitorPassword: secret(),
      patroniPassword: secret(),
    },
  };
}
