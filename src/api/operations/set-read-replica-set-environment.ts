import { type Message, SetEnvironmentBody } from "../../contract/requests.ts";
import { answers, message, ON_A_BODY, ON_A_PROJECT, ON_WRITING } from "../answers.ts";
import type { Api, ApiContext } from "../context.ts";
import { tagEnvironment } from "../environment.ts";
import { ReadReplicaSetParams } from "../parameters.ts";
import { setTargetOf } from "../target.ts";

export function setReadReplicaSetEnvironment(api: Api, { store }: ApiContext): void {
  api.post(
    "/projects/:project_id/services/:service_id/replicaSets/:replica_set_id/setEnvironment",
    {
      config: { access: "write" },
      schema: {
        operationId: "setReadReplicaSetEnvironment",
        tags: ["Read replica sets"],
        summary: "Tag a read replica set as DEV or PROD",
        description: "A tag for people; it changes nothing else.",
        params: ReadReplicaSetParams,
        body: SetEnvironmentBody,
        response: answers(message(200, "The tag is set.", "The environment is PROD."), [
          ...ON_A_BODY,
          ...ON_A_PROJECT,
          ...ON_WRITING,
          "CONFLICT",
        ]),
      },
    },
    async (request): Promise<Message> =>
      tagEnvironment(store.db, setTargetOf(request), request.body.environment),
  );
}
