import { WebhookDeliveries } from "../../contract/webhooks.ts";
import * as store from "../../store/webhooks.ts";
import { answers, ON_A_PROJECT } from "../answers.ts";
import type { Api, ApiContext } from "../context.ts";
import { PageQuery, pageOf } from "../event-stream/answer.ts";
import { noSuchWebhook, webhookIdIn } from "../missing.ts";
import { WebhookParams } from "../parameters.ts";
import { DELIVERY_EXAMPLE, presentDelivery } from "../webhook-answers.ts";

export function listWebhookDeliveries(api: Api, context: ApiContext): void {
  api.get(
    "/projects/:project_id/webhooks/:webhook_id/deliveries",
    {
      config: { access: "read" },
      schema: {
        operationId: "listWebhookDeliveries",
        tags: ["Events"],
        summary: "Tell what was sent to a webhook, and what is still to be sent",
        description: "Kept for 30 days.",
        params: WebhookParams,
        querystring: PageQuery,
        response: answers(
          {
            status: 200,
            description: "Deliveries, newest first.",
            schema: WebhookDeliveries,
            example: { deliveries: [DELIVERY_EXAMPLE] },
          },
          [...ON_A_PROJECT, "INVALID_REQUEST"],
        ),
      },
    },
    async ({ params, query }): Promise<WebhookDeliveries> => {
      const { db } = context.store;
      const webhook = await store.getWebhook(db, params.project_id, webhookIdIn(params));
      if (!webhook) throw noSuchWebhook();
      const deliveries = await store.listDeliveries(db, webhook.id, pageOf(query));
      return { deliveries: deliveries.map(presentDelivery) };
    },
  );
}
