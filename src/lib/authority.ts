/**
 * The installation's own certificate authority: every TLS endpoint of a service presents a certificate of it, and
 * members and coordination accept each other by it.
 */
import { randomBytes, webcrypto } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import "reflect-metadata";
import * as x509 from "@peculiar/x509";

export interface Certificate {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}

export interface CertificateNames {
  readonly commonName: string;
  readonly dns: readonly string[];
  readonly ips: readonly string[];
}

export interface Authority {
  readonly certificatePem: string;
  /** A new key and a certificate for it, good for servers and clients. */
  issue(names: CertificateNames): Promise<Certificate>;
}

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const YEAR_MS = 365.25 * 24 * 3600 * 1000;
const AUTHORITY_YEARS = 20;
const LEAF_YEARS = 10;
/** Clocks of clients may be a little behind. */
const BACKDATE_MS = 3600 * 1000;

/** Reads the authority kept in a folder, or makes it there: `authority.key` (mode 600) and `authority.crt`. */
export async function loadAuthority(folder: string): Promise<Authority> {
  x509.cryptoProvider.set(webcrypto);
  const kept = await readKept(folder);
  const { certificatePem, privateKeyPem } = kept ?? (await create(folder));
  const certificate = new x509.X509Certificate(certificatePem);
  const signingKey = await webcrypto.subtle.importKey(
    "pkcs8",
    x509.PemConverter.decodeFirst(privateKeyPem),
    ALGORITHM,
    false,
    ["sign"],
  );
  return { certificatePem, issue: (names) => issue(names, certificate, signingKey) };
}

async function readKept(folder: string): Promise<Certificate | null> {
  try {
    return {
      privateKeyPem: await readFile(join(folder, "authority.key"), "utf8"),
      certificatePem: await readFile(join(folder, "authority.crt"), "utf8"),
    };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

async function create(folder: string): Promise<Certificate> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: "CN=Howdah authority",
    ...validity(AUTHORITY_YEARS),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  const made = {
    certificatePem: certificate.toString("pem"),
    privateKeyPem: await privatePem(keys.privateKey),
  };
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // The certificate goes last: a key without one is made anew, a certificate without its key could never be used.
  await writeWhole(join(folder, "authority.key"), made.privateKeyPem, 0o600);
  await writeWhole(join(folder, "authority.crt"), made.certificatePem, 0o644);
  return made;
}

async function issue(
  names: CertificateNames,
  authority: x509.X509Certificate,
  signingKey: webcrypto.CryptoKey,
): Promise<Certificate> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: [{ CN: [names.commonName] }],
    issuer: authority.subject,
    ...validity(LEAF_YEARS),
    signingAlgorithm: ALGORITHM,
    publicKey: keys.publicKey,
    signingKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([
        x509.ExtendedKeyUsage.serverAuth,
        x509.ExtendedKeyUsage.clientAuth,
      ]),
      new x509.SubjectAlternativeNameExtension([
        ...names.dns.map((value) => ({ type: "dns" as const, value })),
        ...names.ips.map((value) => ({ type: "ip" as const, value })),
      ]),
      await x509.AuthorityKeyIdentifierExtension.create(authority),
    ],
  });
  return { certificatePem: certificate.toString("pem"), privateKeyPem: await privatePem(keys.privateKey) };
}

function validity(years: number): { notBefore: Date; notAfter: Date } {
  const now = Date.now();
  return { notBefore: new Date(now - BACKDATE_MS), notAfter: new Date(now + years * YEAR_MS) };
}

/** Positive and 127 bits long, as RFC 5280 wants serial numbers. */
function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes.writeUInt8(bytes.readUInt8(0) & 0x7f, 0);
  return bytes.toString("hex");
}

async function privatePem(key: webcrypto.CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await webcrypto.subtle.exportKey("pkcs8", key), "PRIVATE KEY");
}

async function writeWhole(path: string, content: string, mode: number): Promise<void> {
  const partial = `${path}.partial`;
  await writeFile(partial, content, { mode });
  await rename(partial, path);
}
