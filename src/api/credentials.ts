/** The key that a request carries. Pure. */
import { createHash } from "node:crypto";
import { type Credentials, credentials, parseApiKey } from "../store/keys.ts";

/** As `Bearer <api_key>` or `Basic base64(public:secret)`; null where it has none. */
export function readCredentials(header: string | undefined): Credentials | null {
  const [scheme = "", value = "", ...rest] = header?.trim().split(/ +/) ?? [];
  if (rest.length > 0) return null;
  switch (scheme.toLowerCase()) {
    case "bearer":
      return parseApiKey(value);
    case "basic": {
      const [publicKey = "", secretKey = "", ...more] = Buffer.from(value, "base64")
        .toString("utf8")
        .split(":");
      return more.length === 0 ? credentials(publicKey, secretKey) : null;
    }
    default:
      return null;
  }
}

/** The same for the same key, in whichever form it came; without the secret one cannot count against its owner. */
export function fingerprint({ publicKey, secretKey }: Credentials): string {
  return createHash("sha256").update(`${publicKey}:${secretKey}`, "utf8").digest("base64url");
}
