import { Service } from "../../contract/service.ts";
import * as store from "../../store/services.ts";
import { answers, ON_A_PROJECT, SERVICE_EXAMPLE } from "../answers.ts";
import type { Api, ApiContext } from "../context.ts";
import { noSuchService, serviceIdIn } from "../missing.ts";
import { ServiceParams } from "../parameters.ts";
import { recordOf } from "../record.ts";

export function getService(api: Api, context: ApiContext): void {
  api.get(
    "/projects/:project_id/services/:service_id",
    {
      config: { access: "read" },
      schema: {
        operationId: "getService",
        tags: ["Services"],
        summary: "Get a service",
        description: "The status is what is true of the running database now. A service that is gone is 404.",
        params: ServiceParams,
        response: answers(
          {
            status: 200,
            description: "The service.",
            schema: Service,
            example: { ...SERVICE_EXAMPLE, status: "READY" },
          },
          ON_A_PROJECT,
        ),
      },
    },
    async ({ params }): Promise<Service> => {
      const found = await store.getService(context.store.db, params.project_id, serviceIdIn(params));
      if (!found) throw noSuchService();
      return recordOf(context.store.db, found);
    },
  );
}
