/** API keys. The secret half is known to its owner alone; here lies its hash. */
import { createHash, timingSafeEqual } from "node:crypto";
import { sql } from "kysely";
import type { Role } from "../contract/account.ts";
import { randomSecret } from "../lib/random-secret.ts";
import type { Db, Store } from "./db.ts";

const PUBLIC_LENGTH = 16;
const SECRET_LENGTH = 32;
const PREFIX = "hdk";

export interface Credentials {
  readonly publicKey: string;
  readonly secretKey: string;
}

export interface NewKey extends Credentials {
  /** Both halves in one, for `Authorization: Bearer`. */
  readonly apiKey: string;
}

export interface KeyInfo {
  readonly publicKey: string;
  readonly projectId: string;
  readonly name: string;
  readonly role: Role;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

/** Who asks. */
export interface Caller {
  readonly publicKey: string;
  readonly keyName: string;
  readonly keyCreatedAt: Date;
  readonly keyExpiresAt: Date | null;
  /** Whether it was made by a sign-in link, for one session of the console. */
  readonly forSession: boolean;
  readonly role: Role;
  readonly projectId: string;
  readonly projectName: string;
}

export type Authentication =
  | { readonly kind: "caller"; readonly caller: Caller }
  | { readonly kind: "refused"; readonly why: "unknown" }
  /** Told only to those who know the secret. */
  | { readonly kind: "refused"; readonly why: "revoked" | "expired"; readonly caller: Caller };

/** The secret half is in what this returns and nowhere else. Throws where there is no such project. */
export async function createKey(
  db: Db,
  key: { projectId: string; name: string; role: Role; expiresAt?: Date | null; issuedBy?: string },
): Promise<NewKey> {
  const credentials = { publicKey: randomSecret(PUBLIC_LENGTH), secretKey: randomSecret(SECRET_LENGTH) };
  await db
    .insertInto("api_keys")
    .values({
      public_key: credentials.publicKey,
      project_id: key.projectId,
      name: key.name,
      role: key.role,
      secret_hash: hash(credentials.secretKey),
      expires_at: key.expiresAt ?? null,
      revoked_at: null,
      issued_by: key.issuedBy ?? null,
    })
    .execute();
  return { ...credentials, apiKey: formatApiKey(credentials) };
}

export async function listKeys(db: Db, projectId?: string): Promise<readonly KeyInfo[]> {
  const query = db
    .selectFrom("api_keys")
    .select([
      "public_key as publicKey",
      "project_id as projectId",
      "name",
      "role",
      "created_at as createdAt",
      "expires_at as expiresAt",
      "revoked_at as revokedAt",
    ])
    .orderBy("created_at")
    .orderBy("public_key");
  return (projectId === undefined ? query : query.where("project_id", "=", projectId)).execute();
}

/**
 * From the next request on nobody gets in with it, nor with those that its sign-in links have made. False where there is
 * no such key; a revoked one stays as it is.
 */
export async function revokeKey(db: Db, publicKey: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("api_keys")
    .set({ revoked_at: sql`coalesce(revoked_at, now())` })
    .where((key) => key.or([key("public_key", "=", publicKey), key("issued_by", "=", publicKey)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The key of an administrator becomes the operator's; one of another role stays as it is. */
export async function raiseToOperator(db: Db, publicKey: string): Promise<void> {
  await db
    .updateTable("api_keys")
    .set({ role: "operator" })
    .where("public_key", "=", publicKey)
    .where("role", "=", "admin")
    .execute();
}

/** Those of the keys that are neither revoked nor expired. */
export async function usableKeys(db: Db, publicKeys: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom("api_keys")
    .select("public_key")
    .where("public_key", "in", publicKeys)
    .where("revoked_at", "is", null)
    .where((query) => query.or([query("expires_at", "is", null), query("expires_at", ">", sql<Date>`now()`)]))
    .execute();
  return new Set(rows.map(({ public_key }) => public_key));
}

interface KeyRow {
  readonly public_key: string;
  readonly name: string;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly for_session: boolean;
  readonly role: Role;
  readonly secret_hash: Buffer;
  readonly project_id: string;
  readonly project_name: string;
  readonly revoked: boolean;
  readonly expired: boolean;
}

/** Every request asks this, so the server plans it once a connection. */
const FIND_KEY = {
  name: "find-key",
  text: `select k.public_key, k.name, k.created_at, k.expires_at, k.issued_by is not null as for_session,
                k.role, k.secret_hash, k.project_id, p.name as project_name,
                k.revoked_at is not null as revoked, coalesce(k.expires_at <= now(), false) as expired
           from api_keys k join projects p on p.id = k.project_id
          where k.public_key = $1`,
};

export async function authenticate(
  { pool }: Pick<Store, "pool">,
  { publicKey, secretKey }: Credentials,
): Promise<Authentication> {
  const { rows } = await pool.query<KeyRow>({ ...FIND_KEY, values: [publicKey] });
  const key = rows[0];
  if (!key || !timingSafeEqual(hash(secretKey), key.secret_hash)) return { kind: "refused", why: "unknown" };
  const caller = {
    publicKey: key.public_key,
    keyName: key.name,
    keyCreatedAt: key.created_at,
    keyExpiresAt: key.expires_at,
    forSession: key.for_session,
    role: key.role,
    projectId: key.project_id,
    projectName: key.project_name,
  };
  if (key.revoked) return { kind: "refused", why: "revoked", caller };
  if (key.expired) return { kind: "refused", why: "expired", caller };
  return { kind: "caller", caller };
}

export function formatApiKey({ publicKey, secretKey }: Credentials): string {
  return `${PREFIX}_${publicKey}_${secretKey}`;
}

/** The halves of an API key; null for text that is none. */
export function parseApiKey(apiKey: string): Credentials | null {
  const [prefix, publicKey, secretKey, ...rest] = apiKey.split("_");
  if (prefix !== PREFIX || publicKey === undefined || secretKey === undefined || rest.length > 0) return null;
  return credentials(publicKey, secretKey);
}

/** null for halves that no key has. */
export function credentials(publicKey: string, secretKey: string): Credentials | null {
  const wellFormed = /^[A-Za-z0-9]{1,64}$/;
  return wellFormed.test(publicKey) && wellFormed.test(secretKey) ? { publicKey, secretKey } : null;
}

/** The secret is random and long, so a plain hash is enough: there is no dictionary to try. */
function hash(secretKey: string): Buffer {
  return createHash("sha256").update(secretKey, "utf8").digest();
}
