import { DeletionProtection } from "../../contract/requests.ts";
import { changeDetail } from "../../store/service-details.ts";
import { answers, ON_A_BODY, ON_A_PROJECT, ON_WRITING } from "../answers.ts";
import { changedService } from "../change.ts";
import type { Api, ApiContext } from "../context.ts";
import { ServiceParams } from "../parameters.ts";
import { targetOf } from "../target.ts";

export function setDeletionProtection(api: Api, { store }: ApiContext): void {
  api.put(
    "/projects/:project_id/services/:service_id/deletionProtection",
    {
      config: { access: "write" },
      schema: {
        operationId: "setDeletionProtection",
        tags: ["Services"],
        summary: "Protect a service against deletion, or lift that",
        description: "While it is protected, a deletion is refused with 409. Off unless it is switched on.",
        params: ServiceParams,
        body: DeletionProtection,
        response: answers(
          {
            status: 200,
            description: "As it is now.",
            schema: DeletionProtection,
            example: { deletion_protection: true },
          },
          [...ON_A_BODY, ...ON_A_PROJECT, ...ON_WRITING, "CONFLICT"],
        ),
      },
    },
    async (request): Promise<DeletionProtection> => {
      const { deletion_protection } = request.body;
      const outcome = await changeDetail(
        store.db,
        targetOf(request),
        { deletion_protection },
        {
          type: "service.protection.set",
          message: `The service is ${deletion_protection ? "" : "no longer "}protected against deletion.`,
        },
      );
      changedService(outcome);
      return { deletion_protection };
    },
  );
}
