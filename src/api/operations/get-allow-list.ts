import { AllowList } from "../../contract/requests.ts";
import { getService } from "../../store/services.ts";
import { ALLOW_LIST_EXAMPLE, answers, ON_A_PROJECT } from "../answers.ts";
import type { Api, ApiContext } from "../context.ts";
import { noSuchService, serviceIdIn } from "../missing.ts";
import { ServiceParams } from "../parameters.ts";

export function getAllowList(api: Api, { store }: ApiContext): void {
  api.get(
    "/projects/:project_id/services/:service_id/allowList",
    {
      config: { access: "read" },
      schema: {
        operationId: "getAllowList",
        tags: ["Services"],
        summary: "Tell from which addresses clients may connect",
        params: ServiceParams,
        response: answers(
          {
            status: 200,
            description: "As it was asked for last.",
            schema: AllowList,
            example: ALLOW_LIST_EXAMPLE,
          },
          ON_A_PROJECT,
        ),
      },
    },
    async ({ params }): Promise<AllowList> => {
      const found = await getService(store.db, params.project_id, serviceIdIn(params));
      if (!found) throw noSuchService();
      return { cidrs: [...found.allow_list] };
    },
  );
}
