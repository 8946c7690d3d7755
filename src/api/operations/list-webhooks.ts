import { Type } from "typebox";
import { Webhook } from "../../contract/webhooks.ts";
import * as store from "../../store/webhooks.ts";
import { answers, ON_A_PROJECT } from "../answers.ts";
import type { Api, ApiContext } from "../context.ts";
import { ProjectParams } from "../parameters.ts";
import { presentWebhook, WEBHOOK_EXAMPLE } from "../webhook-answers.ts";

export function listWebhooks(api: Api, context: ApiContext): void {
  api.get(
    "/projects/:project_id/webhooks",
    {
      config: { access: "read" },
      schema: {
        operationId: "listWebhooks",
        tags: ["Events"],
        summary: "List the webhooks of a project",
        params: ProjectParams,
        response: answers(
          {
            status: 200,
            description: "All of them, in the order they were created, without their secrets.",
            schema: Type.Array(Webhook),
            example: [WEBHOOK_EXAMPLE],
          },
          ON_A_PROJECT,
        ),
      },
    },
    async ({ params }): Promise<Webhook[]> => {
      const webhooks = await store.listWebhooks(context.store.db, params.project_id);
      return webhooks.map((webhook) => presentWebhook(webhook));
    },
  );
}
