import { WebhookDelivery } from "../../contract/webhooks.ts";
import * as store from "../../store/webhooks.ts";
import { answers, ON_A_PROJECT, ON_WRITING } from "../answers.ts";
import { type Api, type ApiContext, actorOf } from "../context.ts";
import { noSuchWebhook, webhookIdIn } from "../missing.ts";
import { WebhookParams } from "../parameters.ts";
import { DELIVERY_EXAMPLE, presentDelivery } from "../webhook-answers.ts";

const TYPE = "webhook.test";

export function testWebhook(api: Api, context: ApiContext): void {
  api.post(
    "/projects/:project_id/webhooks/:webhook_id/test",
    {
      config: { access: "write" },
      schema: {
        operationId: "testWebhook",
        tags: ["Events"],
        summary: "Send a test to a webhook",
        description:
          "Of the type `webhook.test`, whatever types it wants. Its deliveries tell how that went.",
        params: WebhookParams,
        response: answers(
          {
            status: 202,
            description: "It is on its way.",
            schema: WebhookDelivery,
            example: { ...DELIVERY_EXAMPLE, event_type: TYPE },
          },
          [...ON_A_PROJECT, ...ON_WRITING],
        ),
      },
    },
    async (request, reply): Promise<WebhookDelivery> => {
      const actor = actorOf(request);
      const timestamp = new Date().toISOString();
      const data = { actor, message: "This is a test; nothing has happened." };
      const delivery = await store.queueTest(
        context.store.db,
        { projectId: request.params.project_id, actor },
        webhookIdIn(request.params),
        { type: TYPE, body: JSON.stringify({ type: TYPE, timestamp, data }) },
      );
      if (!delivery) throw noSuchWebhook();
      reply.code(202);
      return presentDelivery(delivery);
    },
  );
}
