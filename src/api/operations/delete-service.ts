import { ApiError } from "../../contract/errors.ts";
import type { Service } from "../../contract/service.ts";
import * as store from "../../store/services.ts";
import { accepted, answers, ON_A_PROJECT, ON_WRITING } from "../answers.ts";
import type { Api, ApiContext } from "../context.ts";
import { noSuchService } from "../missing.ts";
import { ServiceParams } from "../parameters.ts";
import { presentService } from "../present.ts";
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
          "DELETING until it is gone, 404 from then on. Asking again while it goes changes nothing. A service that is " +
          "protected, or whose data a fork still copies, stays.",
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
      return presentDeletion(outcome);
    },
  );
}

function presentDeletion(outcome: store.DeleteOutcome): Service {
  switch (outcome.kind) {
    case "deleting":
      return presentService(outcome.service);
    case "missing":
      throw noSuchService();
    case "protected":
      throw new ApiError("DELETION_PROTECTED", "the service is protected against deletion", {
        details: 'PUT {"deletion_protection": false} to its path followed by /deletionProtection lifts it.',
      });
    case "being-copied":
      throw new ApiError("CONFLICT", `its data is still being copied by ${outcome.forkIds.join(", ")}`, {
        details: "Wait until the fork is READY, or delete the fork.",
      });
  }
}
