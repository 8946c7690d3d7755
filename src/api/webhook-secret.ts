import { randomBytes } from "node:crypto";

const PREFIX = "whsec_";
/** The specification asks for 24 to 64. */
const BYTES = 32;

/** As the Standard Webhooks specification has it, for HMAC-SHA256. */
export function makeWebhookSecret(): string {
  return PREFIX + randomBytes(BYTES).toString("base64");
}
