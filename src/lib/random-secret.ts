import { randomInt } from "node:crypto";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Random letters and digits, each equally likely: 5.95 bits a character, so 32 of them hold 190 bits. */
export function randomSecret(length = 32): string {
  return Array.from({ length }, () => BASE62.charAt(randomInt(BASE62.length))).join("");
}
