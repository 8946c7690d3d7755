import { RenameBody } from "../../contract/requests.ts";
import { Service } from "../../contract/service.ts";
import { changeDetail } from "../../store/service-details.ts";
import { answers, ON_A_BODY, ON_A_PROJECT, ON_WRITING, SERVICE_EXAMPLE } from "../answers.ts";
import { presentChange } from "../change.ts";
import { type Api, type ApiContext, actorOf } from "../context.ts";
import { serviceIdIn } from "../missing.ts";
import { ServiceParams } from "../parameters.ts";

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
        {
          projectId: request.params.project_id,
          serviceId: serviceIdIn(request.params),
          actor: actorOf(request),
        },
        { name },
        { type: "service.renamed", message: `The service is called ${name} from now on.` },
      );
      return presentChange(outcome);
    },
  );
}
