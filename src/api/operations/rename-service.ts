import { RenameBody } from "../../contract/requests.ts";
import { Service } from "../../contract/service.ts";
import { changeDetail } from "../../store/service-details.ts";
import { answers, ON_A_BODY, ON_A_PROJECT, ON_WRITING, SERVICE_EXAMPLE } from "../answers.ts";
import { presentChange } from "../change.ts";
import type { Api, ApiContext } from "../context.ts";
import { ServiceParams } from "../parameters.ts";
import { targetOf } from "../target.ts";

export function renameService(api: Api, { store }: ApiContext): void {
  api.post(
    "/projects/:project_id/services/:service_id/rename",
    {
      config: { access: "write" },
      schema: {
        operationId: "renameService",
        tags: ["Services"],
        summary: "Rename a service",
        description: "The databases know nothing of the name: clients notice nothing.",
        params: ServiceParams,
        body: RenameBody,
        response: answers(
          {
            status: 200,
            description: "The service under its new name.",
            schema: Service,
            example: SERVICE_EXAMPLE,
          },
          [...ON_A_BODY, ...ON_A_PROJECT, ...ON_WRITING, "CONFLICT"],
        ),
      },
    },
    async (request): Promise<Service> => {
      const { name } = request.body;
      const outcome = await changeDetail(
        store.db,
        targetOf(request),
        { name },
        { type: "service.renamed", message: `The service is called ${name} from now on.` },
      );
      return presentChange(store.db, outcome);
    },
  );
}
