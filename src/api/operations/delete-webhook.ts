import * as store from "../../store/webhooks.ts";
import { answers, ON_A_PROJECT, ON_WRITING } from "../answers.ts";
import { type Api, type ApiContext, actorOf } from "../context.ts";
import { noSuchWebhook, webhookIdIn } from "../missing.ts";
import { WebhookParams } from "../parameters.ts";

export function deleteWebhook(api: Api, context: ApiContext): void {
  api.delete(
    "/projects/:project_id/webhooks/:webhook_id",
    {
      config: { access: "write" },
      schema: {
        operationId: "deleteWebhook",
        tags: ["Events"],
        summary: "Delete a webhook",
        description: "Its queue and its log go with it.",
        params: WebhookParams,
        response: answers({ status: 204, description: "Gone." }, [...ON_A_PROJECT, ...ON_WRITING]),
      },
    },
    async (request, reply) => {
      const target = { projectId: request.params.project_id, actor: actorOf(request) };
      if (!(await store.deleteWebhook(context.store.db, target, webhookIdIn(request.params))))
        throw noSuchWebhook();
      return reply.code(204).send();
    },
  );
}
