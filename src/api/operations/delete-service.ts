import type { Service } from "../../contract/service.ts";
import * as store from "../../store/delete-service.ts";
import { accepted, answers, ON_A_PROJECT, ON_WRITING } from "../answers.ts";
import { deletedService } from "../change.ts";
import type { Api, ApiContext } from "../context.ts";
import { ServiceParams } from "../parameters.ts";
import { recordOf } from "../record.ts";
import { targetOf } from "../target.ts";

export function deleteService(api: Api, context: ApiContext): void {
  api.delete(
    "/projects/:project_id/services/:service_id",
    {
      config: { access: "write" },
      schema: {
        operationId: "deleteService",
        tags: ["Services"],
        summary: "Delete a service and its data",
        description:
          "DELETING until it is gone, 404 from then on. Asking again while it goes changes nothing. Its read replica sets " +
          "go with it. A service that is protected, or whose data a fork still copies, stays.",
        params: ServiceParams,
        response: answers(accepted("Accepted: the service is being removed."), [
          ...ON_A_PROJECT,
          ...ON_WRITING,
          "DELETION_PROTECTED",
          "CONFLICT",
        ]),
      },
    },
    async (request, reply): Promise<Service> => {
      const outcome = await store.deleteService(context.store.db, targetOf(request));
      reply.code(202);
      return recordOf(context.store.db, deletedService(outcome));
    },
  );
}
