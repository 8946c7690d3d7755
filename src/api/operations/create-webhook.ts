import { ApiError } from "../../contract/errors.ts";
import { CreateWebhookBody, Webhook } from "../../contract/webhooks.ts";
import * as store from "../../store/webhooks.ts";
import { answers, ON_A_BODY, ON_A_PROJECT, ON_WRITING } from "../answers.ts";
import { type Api, type ApiContext, actorOf } from "../context.ts";
import { ProjectParams } from "../parameters.ts";
import { MOST_WEBHOOKS, presentWebhook, WEBHOOK_EXAMPLE, webhookUrl } from "../webhook-answers.ts";
import { makeWebhookSecret } from "../webhook-secret.ts";

export function createWebhook(api: Api, context: ApiContext): void {
  api.post(
    "/projects/:project_id/webhooks",
    {
      config: { access: "write" },
      schema: {
        operationId: "createWebhook",
        tags: ["Events"],
        summary: "Send events to a URL",
        description:
          "Every event of the project whose type is wanted is sent by POST as `{type, timestamp, data}`, signed per the " +
          "Standard Webhooks specification (`webhook-id`, `webhook-timestamp`, `webhook-signature`). `data` is the event. It " +
          "comes at least once, under the same `webhook-id`, and not always in order; what is not answered with 2xx within " +
          "10 s is tried again for a day, and 410 disables the webhook. Redirects are not followed. Addresses that are not " +
          "public are refused, also where a name leads to one, unless the operator allows them. The secret is in this " +
          "answer alone.",
        params: ProjectParams,
        body: CreateWebhookBody,
        response: answers(
          {
            status: 201,
            description: "The webhook, with its secret.",
            schema: Webhook,
            example: { ...WEBHOOK_EXAMPLE, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" },
          },
          [...ON_A_BODY, ...ON_A_PROJECT, ...ON_WRITING, "CONFLICT"],
        ),
      },
    },
    async (request, reply): Promise<Webhook> => {
      const { params, body } = request;
      const secret = makeWebhookSecret();
      const webhook = await store.createWebhook(
        context.store.db,
        context.encryption,
        { projectId: params.project_id, actor: actorOf(request) },
        {
          url: webhookUrl(body.url, context.webhookAllow),
          description: body.description ?? "",
          eventTypes: body.event_types ?? ["*"],
          enabled: body.enabled ?? true,
        },
        { secret, most: MOST_WEBHOOKS },
      );
      if (!webhook)
        throw new ApiError(
          "CONFLICT",
          `the project has ${MOST_WEBHOOKS} webhooks, which is as many as it may`,
        );
      reply.code(201);
      return presentWebhook(webhook, secret);
    },
  );
}
