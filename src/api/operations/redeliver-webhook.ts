import { Type } from "typebox";
import { ApiError } from "../../contract/errors.ts";
import { WebhookDelivery } from "../../contract/webhooks.ts";
import * as store from "../../store/webhooks.ts";
import { answers, ON_A_PROJECT, ON_WRITING } from "../answers.ts";
import { type Api, type ApiContext, actorOf } from "../context.ts";
import { webhookIdIn } from "../missing.ts";
import { WebhookParams } from "../parameters.ts";
import { DELIVERY_EXAMPLE, presentDelivery } from "../webhook-answers.ts";

const Params = Type.Object({
  ...WebhookParams.properties,
  delivery_id: Type.String({ description: "The delivery." }),
});

export function redeliverWebhook(api: Api, context: ApiContext): void {
  api.post(
    "/projects/:project_id/webhooks/:webhook_id/deliveries/:delivery_id/redeliver",
    {
      config: { access: "write" },
      schema: {
        operationId: "redeliverWebhook",
        tags: ["Events"],
        summary: "Send a delivery once more",
        description:
          "The same body under the same `webhook-id`, with a day of tries before it. A webhook that is disabled sends it once it is enabled.",
        params: Params,
        response: answers(
          {
            status: 202,
            description: "It is on its way.",
            schema: WebhookDelivery,
            example: DELIVERY_EXAMPLE,
          },
          [...ON_A_PROJECT, ...ON_WRITING],
        ),
      },
    },
    async (request, reply): Promise<WebhookDelivery> => {
      const { project_id, delivery_id } = request.params;
      const delivery = /^[0-9]{1,15}$/.test(delivery_id)
        ? await store.redeliver(
            context.store.db,
            { projectId: project_id, actor: actorOf(request) },
            webhookIdIn(request.params),
            Number(delivery_id),
          )
        : null;
      if (!delivery) throw new ApiError("NOT_FOUND", "no delivery with that id exists");
      reply.code(202);
      return presentDelivery(delivery);
    },
  );
}
