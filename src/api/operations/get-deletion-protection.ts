import { DeletionProtection } from "../../contract/requests.ts";
import { getService } from "../../store/services.ts";
import { answers, ON_A_PROJECT } from "../answers.ts";
import type { Api, ApiContext } from "../context.ts";
import { noSuchService, serviceIdIn } from "../missing.ts";
import { ServiceParams } from "../parameters.ts";

export function getDeletionProtection(api: Api, { store }: ApiContext): void {
  api.get(
    "/projects/:project_id/services/:service_id/deletionProtection",
    {
      config: { access: "read" },
      schema: {
        operationId: "getDeletionProtection",
        tags: ["Services"],
        summary: "Tell whether a service is protected against deletion",
        params: ServiceParams,
        response: answers(
          {
            status: 200,
            description: "As it was asked for last.",
            schema: DeletionProtection,
            example: { deletion_protection: true },
          },
          ON_A_PROJECT,
        ),
      },
    },
    async ({ params }): Promise<DeletionProtection> => {
      const found = await getService(store.db, params.project_id, serviceIdIn(params));
      if (!found) throw noSuchService();
      return { deletion_protection: found.deletion_protection };
    },
  );
}
