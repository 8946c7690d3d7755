import { Parameters } from "../../contract/parameters.ts";
import { getService } from "../../store/services.ts";
import { answers, ON_A_PROJECT } from "../answers.ts";
import type { Api, ApiContext } from "../context.ts";
import { noSuchService, serviceIdIn } from "../missing.ts";
import { ServiceParams } from "../parameters.ts";
import { PARAMETERS_EXAMPLE, presentParameters } from "../present-parameters.ts";

export function listParameters(api: Api, { store }: ApiContext): void {
  api.get(
    "/projects/:project_id/services/:service_id/parameters",
    {
      config: { access: "read" },
      schema: {
        operationId: "listParameters",
        tags: ["Services"],
        summary: "List the settings of the database that can be changed",
        description:
          "With what is in force, what was asked for, what would be accepted, and whether a restart is due.",
        params: ServiceParams,
        response: answers(
          {
            status: 200,
            description: "Every parameter.",
            schema: Parameters,
            example: PARAMETERS_EXAMPLE,
          },
          ON_A_PROJECT,
        ),
      },
    },
    async ({ params }): Promise<Parameters> => {
      const found = await getService(store.db, params.project_id, serviceIdIn(params));
      if (!found) throw noSuchService();
      return presentParameters(found);
    },
  );
}
