import type { Message } from "../../contract/requests.ts";
import { answers, message, ON_A_PROJECT, ON_WRITING } from "../answers.ts";
import type { Api, ApiContext } from "../context.ts";
import { ServiceParams } from "../parameters.ts";
import { switchPooler } from "../pooler.ts";
import { targetOf } from "../target.ts";

export function enablePooler(api: Api, { store }: ApiContext): void {
  api.post(
    "/projects/:project_id/services/:service_id/enablePooler",
    {
      config: { access: "write" },
      schema: {
        operationId: "enablePooler",
        tags: ["Services"],
        summary: "Give a service a connection pooler",
        description:
          "PgBouncer on a port of its own, in the record as `connection_pooler`: the database `tsdb` pools sessions, " +
          "`tsdb_transaction` transactions. Connections to the endpoint itself notice nothing.",
        params: ServiceParams,
        response: answers(message(200, "The pooler is enabled.", "The pooler answers at 127.0.0.1:31338."), [
          ...ON_A_PROJECT,
          ...ON_WRITING,
          "CONFLICT",
        ]),
      },
    },
    async (request): Promise<Message> => switchPooler(store.db, targetOf(request), true),
  );
}
