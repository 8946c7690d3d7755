/** What the store keeps secret, encrypted: AES-256-GCM under the installation's master key. */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const VERSION = 1;
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

export interface Encryption {
  /** @param purpose what it is and whose; the same must be said to open it, so that envelopes cannot be swapped */
  seal(plaintext: string, purpose: string): Buffer;
  /** Throws where the key or the purpose is another one, or the envelope was changed. */
  open(envelope: Buffer, purpose: string): string;
}

/**
 * An envelope is one byte of version, the nonce, the tag, the ciphertext. Nonces are random: with 96 bits, one key is
 * good for some four billion envelopes.
 *
 * @param masterKey 32 bytes; lost, everything sealed is lost
 */
export function createEncryption(masterKey: Buffer): Encryption {
  if (masterKey.length !== KEY_BYTES) throw new Error(`The master key must have ${KEY_BYTES} bytes.`);
  return {
    seal(plaintext, purpose) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", masterKey, nonce).setAAD(context(purpose));
      const sealed = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final()]);
      return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), sealed]);
    },
    open(envelope, purpose) {
      if (envelope.length < HEADER_BYTES || envelope[0] !== VERSION)
        throw new Error(`This is no envelope of version ${VERSION}.`);
      const nonce = envelope.subarray(1, 1 + NONCE_BYTES);
      const tag = envelope.subarray(1 + NONCE_BYTES, HEADER_BYTES);
      const decipher = createDecipheriv("aes-256-gcm", masterKey, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(context(purpose)).setAuthTag(tag);
      return decipher.update(envelope.subarray(HEADER_BYTES), undefined, "utf8") + decipher.final("utf8");
    },
  };
}

function context(purpose: string): Buffer {
  return Buffer.from(`howdah ${VERSION} ${purpose}`, "utf8");
}
