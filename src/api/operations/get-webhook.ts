import { Webhook } from "../../contract/webhooks.ts";
import * as store from "../../store/webhooks.ts";
import { answers, ON_A_PROJECT } from "../answers.ts";
import type { Api, ApiContext } from "../context.ts";
import { noSuchWebhook, webhookIdIn } from "../missing.ts";
import { WebhookParams } from "../parameters.ts";
import { presentWebhook, WEBHOOK_EXAMPLE } from "../webhook-answers.ts";

export function getWebhook(api: Api, context: ApiContext): void {
  api.get(
    "/projects/:project_id/webhooks/:webhook_id",
    {
      config: { access: "read" },
      schema: {
        operationId: "getWebhook",
        tags: ["Events"],
        summary: "Show a webhook",
        params: WebhookParams,
        response: answers(
          {
            status: 200,
            description: "The webhook, without its secret.",
            schema: Webhook,
            example: WEBHOOK_EXAMPLE,
          },
          ON_A_PROJECT,
        ),
      },
    },
    async ({ params }): Promise<Webhook> => {
      const webhook = await store.getWebhook(context.store.db, params.project_id, webhookIdIn(params));
      if (!webhook) throw noSuchWebhook();
      return presentWebhook(webhook);
    },
  );
}
