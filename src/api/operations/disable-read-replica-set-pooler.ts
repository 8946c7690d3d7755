import type { Message } from "../../contract/requests.ts";
import { answers, message, ON_A_PROJECT, ON_WRITING } from "../answers.ts";
import type { Api, ApiContext } from "../context.ts";
import { ReadReplicaSetParams } from "../parameters.ts";
import { switchPooler } from "../pooler.ts";
import { setTargetOf } from "../target.ts";

export function disableReadReplicaSetPooler(api: Api, { store }: ApiContext): void {
  api.post(
    "/projects/:project_id/services/:service_id/replicaSets/:replica_set_id/disablePooler",
    {
      config: { access: "write" },
      schema: {
        operationId: "disableReadReplicaSetPooler",
        tags: ["Read replica sets"],
        summary: "Take the connection pooler of a read replica set away",
        description: "Connections through it end; the set itself notices nothing.",
        params: ReadReplicaSetParams,
        response: answers(message(200, "The pooler is disabled.", "The pooler is disabled."), [
          ...ON_A_PROJECT,
          ...ON_WRITING,
          "CONFLICT",
        ]),
      },
    },
    async (request): Promise<Message> => switchPooler(store.db, setTargetOf(request), false),
  );
}
