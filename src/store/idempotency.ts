/** Answers to creates that carried an Idempotency-Key, kept for a day so that a repeated request changes nothing. */
import { sql } from "kysely";
import type { Trx } from "./db.ts";
import type { Encryption } from "./encryption.ts";

/** What a client said is one and the same request. */
export interface IdempotencyKey {
  readonly key: string;
  /** Of everything that decides the answer. */
  readonly requestHash: Buffer;
}

export type Claim =
  | { readonly kind: "first" }
  | { readonly kind: "repeated"; readonly response: string }
  | { readonly kind: "reused" };

const LIFETIME = sql`interval '24 hours'`;
const FORGOTTEN_AT_A_TIME = 20;

/**
 * Claims the key for this transaction. Where another transaction is about to answer it, this waits for its end: if that
 * one is rolled back, the claim is ours.
 */
export async function claimKey(
  trx: Trx,
  encryption: Encryption,
  projectId: string,
  { key, requestHash }: IdempotencyKey,
): Promise<Claim> {
  const claimed = await trx
    .insertInto("idempotency_keys")
    .values({ project_id: projectId, key, request_hash: requestHash, response: null })
    .onConflict((conflict) =>
      conflict
        .columns(["project_id", "key"])
        .doUpdateSet({ request_hash: requestHash, response: null, created_at: sql`now()` })
        .where(sql`idempotency_keys.created_at`, "<=", sql`now() - ${LIFETIME}`),
    )
    .returning("key")
    .executeTakeFirst();
  if (claimed) return { kind: "first" };
  const kept = await trx
    .selectFrom("idempotency_keys")
    .select(["request_hash", "response"])
    .where("project_id", "=", projectId)
    .where("key", "=", key)
    .executeTakeFirstOrThrow();
  if (!kept.request_hash.equals(requestHash) || kept.response === null) return { kind: "reused" };
  return { kind: "repeated", response: encryption.open(kept.response, purpose(projectId, key)) };
}

/** Keeps the answer, and forgets a few that are over, so that the table stays small without a job of its own. */
export async function keepResponse(
  trx: Trx,
  encryption: Encryption,
  projectId: string,
  key: string,
  response: string,
): Promise<void> {
  await trx
    .with("expired", (cte) =>
      cte
        .selectFrom("idempotency_keys")
        .select(["project_id", "key"])
        .where(sql`created_at`, "<=", sql`now() - ${LIFETIME}`)
        .limit(FORGOTTEN_AT_A_TIME)
        .forUpdate()
        .skipLocked(),
    )
    .with("forgotten", (cte) =>
      cte
        .deleteFrom("idempotency_keys")
        .using("expired")
        .whereRef("idempotency_keys.project_id", "=", "expired.project_id")
        .whereRef("idempotency_keys.key", "=", "expired.key"),
    )
    .updateTable("idempotency_keys")
    .set({ response: encryption.seal(response, purpose(projectId, key)) })
    .where("project_id", "=", projectId)
    .where("key", "=", key)
    .execute();
}

function purpose(projectId: string, key: string): string {
  return `idempotency ${projectId} ${key}`;
}
