/** Services as tests want them. */
import { randomBytes } from "node:crypto";
import { EVERY_ADDRESS } from "../../src/contract/cidr.ts";
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
    power: "running",
    settledPower: "running",
    size: SMALL,
    replicaCount: 0,
    syncReplicaCount: 0,
    pooler: false,
    allowList: EVERY_ADDRESS,
    parameters: {},
    passwordVersion: 1,
    forkedFrom: null,
    readsFrom: null,
    vpc: null,
    settledSizing: null,
    handOverFrom: null,
    ...changes,
  };
}

/** A change that was accepted: the next generation. */
export function changed(desired: DesiredService, changes: Partial<DesiredService>): DesiredService {
  const power = changes.power ?? desired.power;
  // As the store does: whoever starts it again comes from a stop, whether that had got to its end or not.
  const settledPower = power === desired.power ? desired.settledPower : desired.power;
  return { ...desired, settledPower, ...changes, generation: desired.generation + 1 };
}

/** What is desired, once it was seen fully in force. */
export function settledOnce(desired: DesiredService): DesiredService {
  const { generation, power, size, parameters } = desired;
  return {
    ...desired,
    settledGeneration: generation,
    settledPower: power,
    settledSizing: { size, parameters },
    handOverFrom: null,
  };
}

/** The verifier belongs to no password: nobody logs in as the administrator. */
export function serviceIdentity(
  serviceId: string,
  port: number,
  poolerPort: number = port + 1,
  parent: ServiceIdentity | null = null,
): ServiceIdentity {
  return {
    serviceId,
    addons: ["time-series"],
    port,
    poolerPort,
    readsFrom: null,
    secrets: {
      adminVerifier: randomVerifier(),
      replicationPassword: secret(),
      rewindPassword: secret(),
      monitorPassword: secret(),
      patroniPassword: secret(),
      poolerPassword: secret(),
      poolerKey: secret(),
      parent: parent && {
        serviceId: parent.serviceId,
        replicationPassword: parent.secrets.replicationPassword,
      },
    },
  };
}

/** Another password of the first role; nobody knows it. */
export function withAnotherPassword(identity: ServiceIdentity): ServiceIdentity {
  return { ...identity, secrets: { ...identity.secrets, adminVerifier: randomVerifier() } };
}

function randomVerifier(): string {
  const base64 = (bytes: number) => randomBytes(bytes).toString("base64");
  return `SCRAM-SHA-256$4096:${base64(16)}$${base64(32)}:${base64(32)}`;
}

function secret(): string {
  return randomBytes(16).toString("hex");
}
