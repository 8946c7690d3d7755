import { Webhook } from "../../contract/webhooks.ts";
import * as store from "../../store/webhooks.ts";
import { answers, ON_A_PROJECT, ON_WRITING } from "../answers.ts";
import { type Api, type ApiContext, actorOf } from "../context.ts";
import { noSuchWebhook, webhookIdIn } from "../missing.ts";
import { WebhookParams } from "../parameters.ts";
import { presentWebhook, WEBHOOK_EXAMPLE } from "../webhook-answers.ts";
import { makeWebhookSecret } from "../webhook-secret.ts";

export function rotateWebhookSecret(api: Api, context: ApiContext): void {
  api.post(
    "/projects/:project_id/webhooks/:webhook_id/rotateSecret",
    {
      config: { access: "write" },
      schema: {
        operationId: "rotateWebhookSecret",
        tags: ["Events"],
        summary: "Give a webhook a new secret",
        description:
          "The one before signs too for a day, so that a receiver can change its own in peace. The new one is in this answer alone.",
        params: WebhookParams,
        response: answers(
          {
            status: 200,
            description: "The webhook, with its new secret.",
            schema: Webhook,
            example: { ...WEBHOOK_EXAMPLE, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" },
          },
          [...ON_A_PROJECT, ...ON_WRITING],
        ),
      },
    },
    async (request): Promise<Webhook> => {
      const secret = makeWebhookSecret();
      const webhook = await store.rotateSecret(
        context.store.db,
        context.encryption,
        { projectId: request.params.project_id, actor: actorOf(request) },
        webhookIdIn(request.params),
        secret,
      );
      if (!webhook) throw noSuchWebhook();
      return presentWebhook(webhook, secret);
    },
  );
}
