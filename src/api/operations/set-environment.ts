import { type Message, SetEnvironmentBody } from "../../contract/requests.ts";
import { answers, message, ON_A_BODY, ON_A_PROJECT, ON_WRITING } from "../answers.ts";
import type { Api, ApiContext } from "../context.ts";
import { tagEnvironment } from "../environment.ts";
import { ServiceParams } from "../parameters.ts";
import { targetOf } from "../target.ts";

export function setEnvironment(api: Api, { store }: ApiContext): void {
  api.post(
    "/projects/:project_id/services/:service_id/setEnvironment",
    {
      config: { access: "write" },
      schema: {
        operationId: "setEnvironment",
        tags: ["Services"],
        summary: "Tag a service as DEV or PROD",
        description: "A tag for people; it changes nothing else.",
        params: ServiceParams,
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
      tagEnvironment(store.db, targetOf(request), request.body.environment),
  );
}
