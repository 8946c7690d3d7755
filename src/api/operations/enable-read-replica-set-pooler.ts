import type { Message } from "../../contract/requests.ts";
import { answers, message, ON_A_PROJECT, ON_WRITING } from "../answers.ts";
import type { Api, ApiContext } from "../context.ts";
import { ReadReplicaSetParams } from "../parameters.ts";
import { switchPooler } from "../pooler.ts";
import { setTargetOf } from "../target.ts";

export function enableReadReplicaSetPooler(api: Api, { store }: ApiContext): void {
  api.post(
    "/projects/:project_id/services/:service_id/replicaSets/:replica_set_id/enablePooler",
    {
      config: { access: "write" },
      schema: {
        operationId: "enableReadReplicaSetPooler",
        tags: ["Read replica sets"],
        summary: "Give a read replica set a connection pooler",
        description:
          "On a port of its own, in the record as `connection_pooler`, as a pooler of the service would be.",
        params: ReadReplicaSetParams,
        response: answers(message(200, "The pooler is enabled.", "The pooler answers at 127.0.0.1:31343."), [
          ...ON_A_PROJECT,
          ...ON_WRITING,
          "CONFLICT",
        ]),
      },
    },
    async (request): Promise<Message> => switchPooler(store.db, setTargetOf(request), true),
  );
}
