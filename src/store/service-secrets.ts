import { createHmac } from "node:crypto";
import { Type } from "typebox";
import { Value } from "typebox/value";
import type { ServiceSecrets } from "../lib/service-secrets.ts";
import type { Encryption } from "./encryption.ts";

const SealedSecrets = Type.Object({
  adminVerifier: Type.String(),
  replicationPassword: Type.String(),
  rewindPassword: Type.String(),
  monitorPassword: Type.String(),
  patroniPassword: Type.String(),
  // Services that were made before there were poolers and forks have none of these.
  poolerPassword: Type.Optional(Type.String()),
  poolerKey: Type.Optional(Type.String()),
  parent: Type.Optional(
    Type.Union([Type.Object({ serviceId: Type.String(), replicationPassword: Type.String() }), Type.Null()]),
  ),
});

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
    if (!Value.Check(SealedSecrets, opened)) return null;
    const { poolerPassword, poolerKey, parent = null, ...rest } = opened;
    return {
      ...rest,
      poolerPassword: poolerPassword ?? derived(rest.monitorPassword, "pooler password"),
      poolerKey: poolerKey ?? derived(rest.monitorPassword, "pooler key"),
      parent,
    };
  } catch {
    return null;
  }
}

/** The same each time, and no way back to what it comes from. */
function derived(secret: string, what: string): string {
  return createHmac("sha256", secret).update(what).digest("hex");
}

function purpose(serviceId: string): string {
  return `service-secrets ${serviceId}`;
}
