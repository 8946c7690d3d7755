import { createHash, createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { scramVerifier } from "./scram.ts";

// The exchange in section 3 of RFC 7677.
const SALT = "W22ZaJ0SNY7soEsUEjb6gQ==";
const AUTH_MESSAGE = [
  "n=user,r=rOprNGfwEbeRWgbNEkqO",
  `r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=${SALT},i=4096`,
  "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0",
].join(",");
const CLIENT_PROOF = "dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=";
const SERVER_SIGNATURE = "6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=";

test("a verifier accepts the client proof of RFC 7677 and gives its server signature", async () => {
  const verifier = await scramVerifier("pencil", { salt: Buffer.from(SALT, "base64") });
  const match = /^SCRAM-SHA-256\$4096:([^$]+)\$([^:]+):(.+)$/.exec(verifier);
  const [salt, storedKey, serverKey] = (match ?? []).slice(1);
  expect(salt).toBe(SALT);

  const signature = hmac(Buffer.from(storedKey ?? "", "base64"), AUTH_MESSAGE);
  const proof = Buffer.from(CLIENT_PROOF, "base64");
  const clientKey = proof.map((byte, index) => byte ^ (signature[index] ?? 0));
  expect(createHash("sha256").update(clientKey).digest("base64")).toBe(storedKey);
  expect(hmac(Buffer.from(serverKey ?? "", "base64"), AUTH_MESSAGE).toString("base64")).toBe(
    SERVER_SIGNATURE,
  );
});

test("passwords that SASLprep takes for the same have the same verifier", async () => {
  const salt = Buffer.alloc(16, 7);
  // A soft hyphen is mapped to nothing, as RFC 4013 has it in its examples.
  expect(await scramVerifier("I\u00ADX", { salt })).toBe(await scramVerifier("IX", { salt }));
});

test("what SASLprep refuses is taken as it is", async () => {
  expect(await scramVerifier("bell\u0007")).toMatch(/^SCRAM-SHA-256\$4096:/);
});

test("every verifier has a salt of its own", async () => {
  expect(await scramVerifier("same")).not.toBe(await scramVerifier("same"));
});

function hmac(key: Buffer, message: string): Buffer {
  return createHmac("sha256", key).update(message).digest();
}
