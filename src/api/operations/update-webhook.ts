import { UpdateWebhookBody, Webhook } from "../../contract/webhooks.ts";
import * as store from "../../store/webhooks.ts";
import { answers, ON_A_BODY, ON_A_PROJECT, ON_WRITING } from "../answers.ts";
import { type Api, type ApiContext, actorOf } from "../context.ts";
import { noSuchWebhook, webhookIdIn } from "../missing.ts";
import { WebhookParams } from "../parameters.ts";
import { presentWebhook, WEBHOOK_EXAMPLE, webhookUrl } from "../webhook-answers.ts";

export function updateWebhook(api: Api, context: ApiContext): void {
  api.patch(
    "/projects/:project_id/webhooks/:webhook_id",
    {
      config: { access: "write" },
      schema: {
        operationId: "updateWebhook",
        tags: ["Events"],
        summary: "Change a webhook",
        description:
          "What is left out stays. While it is disabled, nothing is put into its queue; what is in there waits, for a day at most.",
        params: WebhookParams,
        body: UpdateWebhookBody,
        response: answers(
          {
            status: 200,
            description: "The webhook as it is now.",
            schema: Webhook,
            example: WEBHOOK_EXAMPLE,
          },
          [...ON_A_BODY, ...ON_A_PROJECT, ...ON_WRITING],
        ),
      },
    },
    async (request): Promise<Webhook> => {
      const { url, description, event_types, enabled } = request.body;
      const webhook = await store.changeWebhook(
        context.store.db,
        { projectId: request.params.project_id, actor: actorOf(request) },
        webhookIdIn(request.params),
        {
          ...(url === undefined ? {} : { url: webhookUrl(url, context.webhookAllow) }),
          ...(description === undefined ? {} : { description }),
          ...(event_types === undefined ? {} : { eventTypes: event_types }),
          ...(enabled === undefined ? {} : { enabled }),
        },
      );
      if (!webhook) throw noSuchWebhook();
      return presentWebhook(webhook);
    },
  );
}
