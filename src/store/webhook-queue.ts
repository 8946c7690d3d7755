/** The queue of deliveries as those who send see it. A claim is a lease: whoever dies loses it by its expiry. */
import { sql } from "kysely";
import type { Db } from "./db.ts";
import type { Encryption } from "./encryption.ts";
import { appendEvents } from "./events.ts";
import { wakeReaders } from "./wake.ts";
import { secretPurpose } from "./webhooks.ts";

/** Longer than a try may take. */
const LEASE_MS = 30_000;
/** Of deliveries that wait for one webhook; the oldest are given up beyond it. */
const MOST_PENDING = 10_000;
const LOG_DAYS = 30;
const AT_A_TIME = 500;

export interface DueDelivery {
  readonly id: number;
  readonly webhookId: string;
  readonly projectId: string;
  readonly messageId: string;
  readonly url: string;
  readonly body: string;
  /** The newest first; more than one for a day after a rotation. null: they cannot be opened. */
  readonly secrets: readonly string[] | null;
  /** This one included. */
  readonly attempts: number;
  readonly expiresAt: Date;
  /** Of the webhook, in a row, before this try. */
  readonly failures: number;
}

export interface Attempt {
  readonly responseStatus: number | null;
  readonly error: string | null;
  readonly durationMs: number;
}

export type Conclusion =
  | { readonly kind: "delivered" }
  | { readonly kind: "again"; readonly inMs: number; readonly restMs: number }
  | { readonly kind: "given-up"; readonly restMs: number }
  /** The receiver wants nothing any more. */
  | { readonly kind: "gone" };

interface Claimed {
  readonly id: number;
  readonly webhook_id: string;
  readonly project_id: string;
  readonly message_id: string;
  readonly url: string;
  readonly body: string;
  readonly secret: Buffer;
  readonly previous_secret: Buffer | null;
  readonly attempts: number;
  readonly expires_at: Date;
  readonly failures: number;
}

/**
 * The deliveries due longest, each webhook's apart, so that a full queue of one keeps no other waiting.
 *
 * @param perWebhook how many of one webhook at a time; one alone where its last try failed
 * @param underWay how many of a webhook are being sent already
 */
export async function claimDeliveries(
  db: Db,
  encryption: Encryption,
  limit: number,
  perWebhook: number,
  underWay: ReadonlyMap<string, number>,
): Promise<readonly DueDelivery[]> {
  const { rows } = await sql<Claimed>`
    with busy as (
      select * from unnest(${[...underWay.keys()]}::text[], ${[...underWay.values()]}::int[]) as busy (id, count)
    ), due as (
      select due.id
        from webhooks
        left join busy on busy.id = webhooks.id
       cross join lateral (
         select id, due_at from webhook_deliveries
          where webhook_id = webhooks.id and state = 'pending' and due_at <= now()
          order by due_at
          limit greatest(0, case when failures > 0 then 1 else ${perWebhook}::int end - coalesce(busy.count, 0))
            for update skip locked
       ) as due
       where enabled and (rests_until is null or rests_until <= now())
       order by due.due_at
       limit ${limit}
    )
    update webhook_deliveries as d
       set attempts = attempts + 1, last_attempt_at = now(),
           due_at = now() + ${LEASE_MS} * interval '1 millisecond'
      from due, webhooks
     where d.id = due.id and webhooks.id = d.webhook_id
    returning d.id, d.webhook_id, webhooks.project_id, d.message_id, webhooks.url, d.body, webhooks.secret,
      case when previous_secret_until > now() then previous_secret end as previous_secret,
      d.attempts, d.expires_at, webhooks.failures`.execute(db);
  return rows.map((row) => ({
    id: row.id,
    webhookId: row.webhook_id,
    projectId: row.project_id,
    messageId: row.message_id,
    url: row.url,
    body: row.body,
    secrets: openSecrets(encryption, row),
    attempts: row.attempts,
    expiresAt: row.expires_at,
    failures: row.failures,
  }));
}

/** Milliseconds until the next delivery can be tried; null where none waits. */
export async function nextDeliveryInMs(db: Db): Promise<number | null> {
  const { rows } = await sql<{ wait: number | null }>`
    select ceil(extract(epoch from min(greatest(next.due_at, rests_until)) - now()) * 1000)::bigint as wait
      from webhooks cross join lateral (
        select due_at from webhook_deliveries where webhook_id = webhooks.id and state = 'pending'
        order by due_at limit 1) as next
     where enabled`.execute(db);
  const wait = rows[0]?.wait ?? null;
  return wait === null ? null : Math.max(0, wait);
}

/** Writes how a try ended. Nothing is written where the lease was lost, or the delivery was asked for anew meanwhile. */
export async function concludeDelivery(
  db: Db,
  delivery: DueDelivery,
  attempt: Attempt,
  conclusion: Conclusion,
): Promise<void> {
  const written = await db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable("webhook_deliveries")
      .set({
        response_status: attempt.responseStatus,
        error: attempt.error,
        duration_ms: attempt.durationMs,
        ...(conclusion.kind === "again"
          ? { due_at: sql<Date>`now() + ${conclusion.inMs} * interval '1 millisecond'` }
          : { state: conclusion.kind === "delivered" ? "delivered" : "failed" }),
      })
      .where("id", "=", delivery.id)
      .where("attempts", "=", delivery.attempts)
      .where("state", "=", "pending")
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    if (conclusion.kind === "delivered") {
      // A webhook that works is left alone: its row would be written with every delivery.
      if (delivery.failures > 0)
        await trx
          .updateTable("webhooks")
          .set({ failures: 0, rests_until: null })
          .where("id", "=", delivery.webhookId)
          .execute();
      return false;
    }
    if (conclusion.kind !== "gone") {
      await trx
        .updateTable("webhooks")
        .set({
          failures: sql<number>`failures + 1`,
          rests_until: sql<Date>`now() + ${conclusion.restMs} * interval '1 millisecond'`,
        })
        .where("id", "=", delivery.webhookId)
        .execute();
      return false;
    }
    await trx
      .updateTable("webhooks")
      .set({ enabled: false, disabled_reason: "The receiver answered 410 Gone." })
      .where("id", "=", delivery.webhookId)
      .execute();
    await appendEvents(trx, [
      {
        projectId: delivery.projectId,
        serviceId: null,
        actor: "howdah",
        type: "webhook.disabled",
        message: `Nothing is sent to ${new URL(delivery.url).host} any more: it answered 410 Gone.`,
        data: { webhook: delivery.webhookId, reason: "gone" },
      },
    ]);
    return true;
  });
  if (written) wakeReaders(db);
}

/** Gives up what has waited for too long or is too much, and forgets what is old. Returns how many rows it changed. */
export async function tidyDeliveries(db: Db): Promise<number> {
  const statements = [
    sql`update webhook_deliveries set state = 'failed', error = coalesce(error, 'not tried in time')
         where id in (select id from webhook_deliveries
                       where state = 'pending' and expires_at < now() and due_at < now() limit ${AT_A_TIME})`,
    sql`update webhook_deliveries set state = 'failed', error = 'more than ${sql.lit(MOST_PENDING)} were waiting'
         where id in (select old.id from webhooks cross join lateral (
                        select id from webhook_deliveries where webhook_id = webhooks.id and state = 'pending'
                        order by id desc offset ${MOST_PENDING} limit ${AT_A_TIME}) as old)`,
    sql`delete from webhook_deliveries where id in (
          select id from (select id, created_at, state from webhook_deliveries order by id limit ${AT_A_TIME}) as oldest
           where created_at < now() - ${LOG_DAYS} * interval '1 day'
             and (state <> 'pending' or created_at < now() - ${LOG_DAYS * 2} * interval '1 day'))`,
  ];
  let changed = 0;
  for (const statement of statements) changed += Number((await statement.execute(db)).numAffectedRows ?? 0n);
  return changed;
}

function openSecrets(encryption: Encryption, row: Claimed): readonly string[] | null {
  try {
    return [row.secret, row.previous_secret]
      .filter((sealed) => sealed !== null)
      .map((sealed) => encryption.open(sealed, secretPurpose(row.webhook_id)));
  } catch {
    return null;
  }
}
