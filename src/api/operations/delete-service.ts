import type { Service } from "../../contract/service.ts";
import * as store from "../../store/services.ts";
import { accepted, answers, ON_A_PROJECT, ON_WRITING } from "../answers.ts";
import { type Api, type ApiContext, actorOf } from "../context.ts";
import { noSuchService, serviceIdIn } from "../missing.ts";
import { ServiceParams } from "../parameters.ts";
import { presentService } from "../present.ts";

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
          "DELETING until it is gone, 404 from then on. Asking again while it goes changes nothing.",
        params: ServiceParams,
        response: answers(accepted("Accepted: the service is being removed."), [
          ...ON_A_PROJECT,
          ...ON_WRITING,
        ]),
      },
    },
    async (request, reply): Promise<Service> => {
      const found = await store.deleteService(context.store.db, {
        projectId: request.params.project_id,
        serviceId: serviceIdIn(request.params),
        actor: actorOf(request),
      });
      if (!found) throw noSuchService();
      reply.code(202);
      return presentService(found);
    },
  );
}
