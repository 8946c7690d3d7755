import { X509Certificate } from "node:crypto";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { loadAuthority } from "./authority.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "howdah-authority-"));
});
afterEach(() => rm(home, { recursive: true }));

it("issues certificates that verify against it and carry the names asked for", async () => {
  const authority = await loadAuthority(home);
  const issued = await authority.issue({ commonName: "orders", dns: ["localhost"], ips: ["127.0.0.1"] });
  const certificate = new X509Certificate(issued.certificatePem);
  expect(certificate.verify(new X509Certificate(authority.certificatePem).publicKey)).toBe(true);
  expect(certificate.checkHost("localhost")).toBe("localhost");
  expect(certificate.checkIP("127.0.0.1")).toBe("127.0.0.1");
  expect(certificate.ca).toBe(false);
});

it("is the same after a restart", async () => {
  const first = await loadAuthority(home);
  const second = await loadAuthority(home);
  expect(second.certificatePem).toBe(first.certificatePem);
  const issued = await second.issue({ commonName: "orders", dns: [], ips: ["127.0.0.1"] });
  expect(
    new X509Certificate(issued.certificatePem).verify(new X509Certificate(first.certificatePem).publicKey),
  ).toBe(true);
});

it("keeps its key to its owner", async () => {
  await loadAuthority(home);
  expect((await stat(join(home, "authority.key"))).mode & 0o777).toBe(0o600);
});

it("is made whole again when it was interrupted between key and certificate", async () => {
  await loadAuthority(home);
  await rm(join(home, "authority.crt"));
  const authority = await loadAuthority(home);
  const issued = await authority.issue({ commonName: "orders", dns: [], ips: [] });
  expect(
    new X509Certificate(issued.certificatePem).verify(
      new X509Certificate(authority.certificatePem).publicKey,
    ),
  ).toBe(true);
});
