import { Type } from "typebox";
import { Service } from "../../contract/service.ts";
import * as store from "../../store/services.ts";
import { answers, ON_A_PROJECT, SERVICE_EXAMPLE } from "../answers.ts";
import type { Api, ApiContext } from "../context.ts";
import { ProjectParams } from "../parameters.ts";
import { recordsOf } from "../record.ts";

export function listServices(api: Api, context: ApiContext): void {
  api.get(
    "/projects/:project_id/services",
    {
      config: { access: "read" },
      schema: {
        operationId: "listServices",
        tags: ["Services"],
        summary: "List the services of a project",
        params: ProjectParams,
        response: answers(
          {
            status: 200,
            description: "All of them, in the order they were created.",
            schema: Type.Array(Service),
            example: [{ ...SERVICE_EXAMPLE, status: "READY" }],
          },
          ON_A_PROJECT,
        ),
      },
    },
    async ({ params }): Promise<Service[]> => {
      const services = await store.listServices(context.store.db, params.project_id);
      return recordsOf(context.store.db, services);
    },
  );
}
