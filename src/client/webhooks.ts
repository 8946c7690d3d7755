/** The API's operations on webhooks as functions. */
import { Type } from "typebox";
import type { CreateWebhookBody, UpdateWebhookBody } from "../contract/webhooks.ts";
import { DeliveryRecord, DeliveryRecords, Nothing, WebhookRecord } from "./answers.ts";
import { type CallOptions, type EventQuery, queryOf, READ } from "./calls.ts";
import type { Send } from "./http.ts";

/** Every function throws ClientError, or the reason of its signal. */
export interface WebhookClient {
  listWebhooks(options?: CallOptions): Promise<readonly WebhookRecord[]>;
  /** The answer has the secret, which is told nowhere else. */
  createWebhook(body: CreateWebhookBody, options?: CallOptions): Promise<WebhookRecord>;
  getWebhook(webhookId: string, options?: CallOptions): Promise<WebhookRecord>;
  updateWebhook(webhookId: string, body: UpdateWebhookBody, options?: CallOptions): Promise<WebhookRecord>;
  deleteWebhook(webhookId: string, options?: CallOptions): Promise<null>;
  /** The answer has the new secret. */
  rotateWebhookSecret(webhookId: string, options?: CallOptions): Promise<WebhookRecord>;
  testWebhook(webhookId: string, options?: CallOptions): Promise<DeliveryRecord>;
  listWebhookDeliveries(
    webhookId: string,
    query?: EventQuery,
    options?: CallOptions,
  ): Promise<readonly DeliveryRecord[]>;
  redeliverWebhook(webhookId: string, deliveryId: string, options?: CallOptions): Promise<DeliveryRecord>;
}

/** @param project its path, encoded */
export function webhookClient(send: Send, project: string): WebhookClient {
  const webhooks = `${project}/webhooks`;
  const at = (webhookId: string, below = "") => `${webhooks}/${encodeURIComponent(webhookId)}${below}`;
  return {
    listWebhooks: (call) => send({ ...READ, path: webhooks, answer: Type.Array(WebhookRecord), ...call }),
    createWebhook: (body, call) =>
      send({ method: "POST", path: webhooks, body, answer: WebhookRecord, ...call }),
    getWebhook: (id, call) => send({ ...READ, path: at(id), answer: WebhookRecord, ...call }),
    updateWebhook: (id, body, call) =>
      send({ method: "PATCH", path: at(id), body, answer: WebhookRecord, ...call }),
    deleteWebhook: (id, call) => send({ method: "DELETE", path: at(id), answer: Nothing, ...call }),
    rotateWebhookSecret: (id, call) =>
      send({ method: "POST", path: at(id, "/rotateSecret"), answer: WebhookRecord, ...call }),
    testWebhook: (id, call) =>
      send({ method: "POST", path: at(id, "/test"), answer: DeliveryRecord, ...call }),
    listWebhookDeliveries: async (id, { limit, before } = {}, call) => {
      const path = `${at(id, "/deliveries")}${queryOf({ limit, before })}`;
      return (await send({ ...READ, path, answer: DeliveryRecords, ...call })).deliveries;
    },
    redeliverWebhook: (id, delivery, call) =>
      send({
        method: "POST",
        path: at(id, `/deliveries/${encodeURIComponent(delivery)}/redeliver`),
        answer: DeliveryRecord,
        ...call,
      }),
  };
}
