import type { Message } from "../../contract/requests.ts";
import { answers, message, ON_A_PROJECT, ON_WRITING } from "../answers.ts";
import type { Api, ApiContext } from "../context.ts";
import { ServiceParams } from "../parameters.ts";
import { switchPooler } from "../pooler.ts";
import { targetOf } from "../target.ts";

export function disablePooler(api: Api, { store }: ApiContext): void {
  api.post(
    "/projects/:project_id/services/:service_id/disablePooler",
    {
      config: { access: "write" },
      schema: {
        operationId: "disablePooler",
        tags: ["Services"],
        summary: "Take the connection pooler away",
        description: "Pooled connections end; connections to the endpoint itself notice nothing.",
        params: ServiceParams,
        response: answers(message(200, "The pooler is disabled.", "The pooler is disabled."), [
          ...ON_A_PROJECT,
          ...ON_WRITING,
          "CONFLICT",
        ]),
      },
    },
    async (request): Promise<Message> => switchPooler(store.db, targetOf(request), false),
  );
}
