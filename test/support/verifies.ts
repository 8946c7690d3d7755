import { createHash, createHmac, pbkdf2Sync } from "node:crypto";

/** As PostgreSQL would, when a client logs in with the password. */
export function verifies(password: string, verifier: string): boolean {
  const [, salt = "", storedKey] = /^SCRAM-SHA-256\$4096:([^$]+)\$([^:]+):/.exec(verifier) ?? [];
  const salted = pbkdf2Sync(password, Buffer.from(salt, "base64"), 4096, 32, "sha256");
  const clientKey = createHmac("sha256", salted).update("Client Key").digest();
  return createHash("sha256").update(clientKey).digest("base64") === storedKey;
}
