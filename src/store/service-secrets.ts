import type { ServiceSecrets } from "../lib/service-secrets.ts";
import type { Encryption } from "./encryption.ts";

/** By name, so that the compiler asks for every one of them here. */
const NAMES: Readonly<Record<keyof ServiceSecrets, true>> = {
  adminVerifier: true,
  replicationPassword: true,
  rewindPassword: true,
  monitorPassword: true,
  patroniPassword: true,
};

export function sealSecrets(encryption: Encryption, serviceId: string, secrets: ServiceSecrets): Buffer {
  return encryption.seal(JSON.stringify(secrets), purpose(serviceId));
}

/** null where they were sealed with another master key, for another service, or by another version. */
export function openSecrets(
  encryption: Encryption,
  serviceId: string,
  envelope: Buffer,
): ServiceSecrets | null {
  try {
    const opened: unknown = JSON.parse(encryption.open(envelope, purpose(serviceId)));
    return isSecrets(opened) ? opened : null;
  } catch {
    return null;
  }
}

function isSecrets(value: unknown): value is ServiceSecrets {
  if (typeof value !== "object" || value === null) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  return Object.keys(NAMES).every((name) => typeof fields.get(name) === "string");
}

function purpose(serviceId: string): string {
  return `service-secrets ${serviceId}`;
}
