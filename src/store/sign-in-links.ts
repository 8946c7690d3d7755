/**
 * Links that sign in to the console: each once, within minutes, by a key of its own that ends within hours. So no key that
 * lasts ever enters a browser.
 */
import { createHash, randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Project, Role } from "../contract/account.ts";
import type { Db, Trx } from "./db.ts";
import { type Caller, createKey } from "./keys.ts";

const TOKEN_BYTES = 32;
const LINK_MINUTES = 15;
const SESSION_HOURS = 12;
/** For how long the keys of sessions that are over stay in the list, for whoever reads the audit. */
const ENDED_SESSION_DAYS = 30;

export interface NewSignInLink {
  /** In what this returns and nowhere else. */
  readonly token: string;
  readonly expiresAt: Date;
}

export interface Session {
  readonly apiKey: string;
  readonly project: Project;
  readonly role: Role;
  readonly expiresAt: Date;
}

/** One for whoever holds the key; it may do what that key may. Throws where there is no such key. */
export async function createSignInLink(db: Db, publicKey: string): Promise<NewSignInLink> {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  const { expires_at } = await db
    .insertInto("sign_in_links")
    .values({
      token_hash: hash(token),
      public_key: publicKey,
      expires_at: sql<Date>`now() + ${LINK_MINUTES} * interval '1 minute'`,
      used_at: null,
    })
    .returning("expires_at")
    .executeTakeFirstOrThrow();
  return { token, expiresAt: expires_at };
}

/** Who has made the link, whether it still works or not; null where there is none. */
export async function makerOf(db: Db, token: string): Promise<Caller | null> {
  const key = await db
    .selectFrom("sign_in_links as link")
    .innerJoin("api_keys as key", "key.public_key", "link.public_key")
    .innerJoin("projects as project", "project.id", "key.project_id")
    .select(["key.public_key", "key.name", "key.created_at", "key.expires_at", "key.role"])
    .select(["key.issued_by", "project.id", "project.name as project_name"])
    .where("link.token_hash", "=", hash(token))
    .executeTakeFirst();
  if (!key) return null;
  return {
    publicKey: key.public_key,
    keyName: key.name,
    keyCreatedAt: key.created_at,
    keyExpiresAt: key.expires_at,
    forSession: key.issued_by !== null,
    role: key.role,
    projectId: key.id,
    projectName: key.project_name,
  };
}

/**
 * Makes a key for one session, once, however many ask at the same time. null where the link was used or has expired, or the
 * key that made it is no longer good.
 */
export async function useSignInLink(db: Db, token: string, keyName: string): Promise<Session | null> {
  return db.transaction().execute(async (trx) => {
    const maker = await takeLink(trx, token);
    if (!maker) return null;
    const { apiKey } = await createKey(trx, {
      projectId: maker.project_id,
      name: keyName,
      role: maker.role,
      expiresAt: maker.session_ends_at,
      issuedBy: maker.public_key,
    });
    return {
      apiKey,
      project: { id: maker.project_id, name: maker.project_name },
      role: maker.role,
      expiresAt: maker.session_ends_at,
    };
  });
}

function takeLink(trx: Trx, token: string) {
  return trx
    .updateTable("sign_in_links as link")
    .from("api_keys as key")
    .innerJoin("projects as project", "project.id", "key.project_id")
    .set({ used_at: sql`now()` })
    .whereRef("key.public_key", "=", "link.public_key")
    .where("link.token_hash", "=", hash(token))
    .where("link.used_at", "is", null)
    .where("link.expires_at", ">", sql<Date>`now()`)
    .where("key.revoked_at", "is", null)
    .where((row) => row.or([row("key.expires_at", "is", null), row("key.expires_at", ">", sql<Date>`now()`)]))
    .returning(["key.public_key", "key.project_id", "key.role", "project.name as project_name"])
    .returning(
      sql<Date>`least(key.expires_at, now() + ${SESSION_HOURS} * interval '1 hour')`.as("session_ends_at"),
    )
    .executeTakeFirst();
}

/** Links that work no more, and keys of sessions that have long been over. */
export async function forgetSessions(db: Db): Promise<number> {
  const links = await db
    .deleteFrom("sign_in_links")
    .where("expires_at", "<", sql<Date>`now() - interval '1 day'`)
    .executeTakeFirst();
  const keys = await db
    .deleteFrom("api_keys")
    .where("issued_by", "is not", null)
    .where("expires_at", "<", sql<Date>`now() - ${ENDED_SESSION_DAYS} * interval '1 day'`)
    .executeTakeFirst();
  return Number(links.numDeletedRows + keys.numDeletedRows);
}

/** The token is random and long, so a plain hash is enough: there is no dictionary to try. */
function hash(token: string): Buffer {
  return createHash("sha256").update(token, "utf8").digest();
}
