/** What PostgreSQL keeps of a password, made without PostgreSQL, so that the password itself is kept nowhere. */
import { createHash, createHmac, pbkdf2, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import prepare from "@mongodb-js/saslprep";

const ITERATIONS = 4096;
const SALT_BYTES = 16;
const KEY_BYTES = 32;

const derive = promisify(pbkdf2);

/**
 * A SCRAM-SHA-256 verifier (RFC 5803, RFC 7677) in the form that `CREATE ROLE … PASSWORD` takes as it is.
 * The key derivation runs off the main thread.
 */
export async function scramVerifier(
  password: string,
  { salt = randomBytes(SALT_BYTES), iterations = ITERATIONS }: { salt?: Buffer; iterations?: number } = {},
): Promise<string> {
  const salted = await derive(normalize(password), salt, iterations, KEY_BYTES, "sha256");
  const clientKey = createHmac("sha256", salted).update("Client Key").digest();
  const storedKey = createHash("sha256").update(clientKey).digest("base64");
  const serverKey = createHmac("sha256", salted).update("Server Key").digest("base64");
  return `SCRAM-SHA-256$${iterations}:${salt.toString("base64")}$${storedKey}:${serverKey}`;
}

/** As PostgreSQL does: what SASLprep does not accept is taken as the bytes it is. */
function normalize(password: string): string {
  try {
    return prepare(password, { allowUnassigned: false });
  } catch {
    return password;
  }
}
