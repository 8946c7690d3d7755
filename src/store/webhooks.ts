/** Webhooks as the API keeps them: where to send what, and the secrets that sign it. */
import { sql, type UpdateObject } from "kysely";
import { randomId } from "../lib/ids.ts";
import type { Db, Trx } from "./db.ts";
import type { Encryption } from "./encryption.ts";
import { expiry, insertDeliveries } from "./event-feed.ts";
import { appendEvents } from "./events.ts";
import type { DeliveryRow, Tables, WebhookRow } from "./schema.ts";
import { wakeReaders } from "./wake.ts";

/** What is told of a webhook. Its secrets are not among it. */
const SHOWN = [
  "id",
  "url",
  "description",
  "event_types",
  "enabled",
  "disabled_reason",
  "created_at",
  "failures",
  "rests_until",
] as const;

export type Webhook = Pick<WebhookRow, (typeof SHOWN)[number]>;
export type Delivery = Omit<DeliveryRow, "body" | "webhook_id" | "expires_at">;

interface Request {
  readonly projectId: string;
  readonly actor: string;
}

export interface WebhookFields {
  readonly url: string;
  readonly description: string;
  readonly eventTypes: readonly string[];
  readonly enabled: boolean;
}

/** For how long the secret before a rotation signs too. */
const OLD_SECRET_HOURS = 24;

export async function listWebhooks(db: Db, projectId: string): Promise<readonly Webhook[]> {
  return db
    .selectFrom("webhooks")
    .select(SHOWN)
    .where("project_id", "=", projectId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

export async function getWebhook(db: Db, projectId: string, webhookId: string): Promise<Webhook | null> {
  const found = await db
    .selectFrom("webhooks")
    .select(SHOWN)
    .where("id", "=", webhookId)
    .where("project_id", "=", projectId)
    .executeTakeFirst();
  return found ?? null;
}

/** null where the project has as many as it may. */
export async function createWebhook(
  db: Db,
  encryption: Encryption,
  request: Request,
  fields: WebhookFields,
  { secret, most }: { readonly secret: string; readonly most: number },
): Promise<Webhook | null> {
  const id = randomId();
  return changing(db, async (trx) => {
    // Two at once must not both be the last one.
    await trx.selectFrom("projects").select("id").where("id", "=", request.projectId).forUpdate().execute();
    const { count } = await trx
      .selectFrom("webhooks")
      .select((query) => query.fn.countAll<number>().as("count"))
      .where("project_id", "=", request.projectId)
      .executeTakeFirstOrThrow();
    if (count >= most) return null;
    const webhook = await trx
      .insertInto("webhooks")
      .values({
        id,
        project_id: request.projectId,
        url: fields.url,
        description: fields.description,
        event_types: [...fields.eventTypes],
        enabled: fields.enabled,
        secret: encryption.seal(secret, secretPurpose(id)),
      })
      .returning(SHOWN)
      .executeTakeFirstOrThrow();
    await tell(
      trx,
      request,
      "webhook.created",
      `Events go to ${hostOf(webhook)} from now on.`,
      about(webhook),
    );
    return webhook;
  });
}

/** null where there is no such webhook. */
export async function changeWebhook(
  db: Db,
  request: Request,
  webhookId: string,
  fields: Partial<WebhookFields>,
): Promise<Webhook | null> {
  const { url, description, eventTypes, enabled } = fields;
  const set = {
    ...(url === undefined ? {} : { url, ...RESTED }),
    ...(description === undefined ? {} : { description }),
    ...(eventTypes === undefined ? {} : { event_types: [...eventTypes] }),
    ...(enabled === undefined ? {} : { enabled, disabled_reason: null, ...RESTED }),
  };
  return changing(db, async (trx) => {
    const webhook = await updated(trx, request, webhookId, set);
    if (webhook)
      await tell(trx, request, "webhook.changed", `The webhook to ${hostOf(webhook)} was changed.`, {
        ...about(webhook),
        changed: Object.keys(fields),
      });
    return webhook;
  });
}

const RESTED = { failures: 0, rests_until: null } as const;

/** Its queue and its log go with it. False where there is none. */
export async function deleteWebhook(db: Db, request: Request, webhookId: string): Promise<boolean> {
  const deleted = await changing(db, async (trx) => {
    const webhook = await trx
      .deleteFrom("webhooks")
      .where("id", "=", webhookId)
      .where("project_id", "=", request.projectId)
      .returning(SHOWN)
      .executeTakeFirst();
    if (webhook)
      await tell(
        trx,
        request,
        "webhook.deleted",
        `Nothing is sent to ${hostOf(webhook)} any more.`,
        about(webhook),
      );
    return webhook ?? null;
  });
  return deleted !== null;
}

/** The secret before it signs too for a day. null where there is no such webhook. */
export async function rotateSecret(
  db: Db,
  encryption: Encryption,
  request: Request,
  webhookId: string,
  secret: string,
): Promise<Webhook | null> {
  return changing(db, async (trx) => {
    const webhook = await updated(trx, request, webhookId, {
      previous_secret: sql<Buffer>`secret`,
      previous_secret_until: sql<Date>`now() + ${OLD_SECRET_HOURS} * interval '1 hour'`,
      secret: encryption.seal(secret, secretPurpose(webhookId)),
    });
    if (webhook)
      await tell(
        trx,
        request,
        "webhook.secret.rotated",
        `The webhook to ${hostOf(webhook)} has a new secret.`,
        about(webhook),
      );
    return webhook;
  });
}

/** Queues something that tells of no event. null where there is no such webhook. */
export async function queueTest(
  db: Db,
  request: Request,
  webhookId: string,
  message: { readonly type: string; readonly body: string },
): Promise<Delivery | null> {
  return changing(db, async (trx) => {
    const webhook = await getWebhook(trx, request.projectId, webhookId);
    if (!webhook) return null;
    const [id = 0] = await insertDeliveries(trx, [
      { webhookId, eventId: null, eventType: message.type, body: message.body },
    ]);
    await tell(trx, request, "webhook.test.accepted", `A test goes to ${hostOf(webhook)}.`, about(webhook));
    await updated(trx, request, webhookId, RESTED);
    return trx
      .selectFrom("webhook_deliveries")
      .select(DELIVERY)
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
  });
}

/** Sends it once more, under the same id, and tries for another day. null where there is no such delivery. */
export async function redeliver(
  db: Db,
  request: Request,
  webhookId: string,
  deliveryId: number,
): Promise<Delivery | null> {
  return changing(db, async (trx) => {
    const webhook = await getWebhook(trx, request.projectId, webhookId);
    if (!webhook) return null;
    const delivery = await trx
      .updateTable("webhook_deliveries")
      .set({ state: "pending", due_at: sql<Date>`now()`, expires_at: expiry() })
      .where("id", "=", deliveryId)
      .where("webhook_id", "=", webhookId)
      .returning(DELIVERY)
      .executeTakeFirst();
    if (!delivery) return null;
    await tell(
      trx,
      request,
      "webhook.redelivery.accepted",
      `${delivery.event_type} goes to ${hostOf(webhook)} once more.`,
      { ...about(webhook), delivery: String(delivery.id) },
    );
    await updated(trx, request, webhookId, RESTED);
    return delivery;
  });
}

export const DELIVERY = [
  "id",
  "message_id",
  "event_id",
  "event_type",
  "created_at",
  "state",
  "due_at",
  "attempts",
  "last_attempt_at",
  "response_status",
  "error",
  "duration_ms",
] as const;

/** Newest first. @param before only those older than the one with this id */
export async function listDeliveries(
  db: Db,
  webhookId: string,
  { limit, before }: { readonly limit: number; readonly before?: number | undefined },
): Promise<readonly Delivery[]> {
  const query = db
    .selectFrom("webhook_deliveries")
    .select(DELIVERY)
    .where("webhook_id", "=", webhookId)
    .orderBy("id", "desc")
    .limit(limit);
  return (before === undefined ? query : query.where("id", "<", before)).execute();
}

export function secretPurpose(webhookId: string): string {
  return `webhook-secret ${webhookId}`;
}

async function changing<T>(db: Db, change: (trx: Trx) => Promise<T>): Promise<T> {
  const changed = await db.transaction().execute(change);
  if (changed) wakeReaders(db);
  return changed;
}

async function updated(
  trx: Trx,
  { projectId }: Request,
  webhookId: string,
  set: UpdateObject<Tables, "webhooks">,
): Promise<Webhook | null> {
  const found = await trx
    .updateTable("webhooks")
    .set(set)
    .where("id", "=", webhookId)
    .where("project_id", "=", projectId)
    .returning(SHOWN)
    .executeTakeFirst();
  return found ?? null;
}

async function tell(
  trx: Trx,
  { projectId, actor }: Request,
  type: string,
  message: string,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  await appendEvents(trx, [{ projectId, serviceId: null, actor, type, message, data }]);
}

function about({ id, enabled, event_types }: Webhook) {
  return { webhook: id, enabled, event_types };
}

/** Paths and queries of receivers often are secrets; events tell the host alone. */
function hostOf({ url }: Webhook): string {
  return new URL(url).host;
}
