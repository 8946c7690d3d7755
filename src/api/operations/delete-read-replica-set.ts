import type { ReadReplicaSet } from "../../contract/service.ts";
import { deleteService } from "../../store/delete-service.ts";
import { acceptedSet, answers, ON_A_PROJECT, ON_WRITING } from "../answers.ts";
import { deletedService } from "../change.ts";
import type { Api, ApiContext } from "../context.ts";
import { ReadReplicaSetParams } from "../parameters.ts";
import { presentReadReplicaSet } from "../present.ts";
import { setTargetOf } from "../target.ts";

export function deleteReadReplicaSet(api: Api, { store }: ApiContext): void {
  api.delete(
    "/projects/:project_id/services/:service_id/replicaSets/:replica_set_id",
    {
      config: { access: "write" },
      schema: {
        operationId: "deleteReadReplicaSet",
        tags: ["Read replica sets"],
        summary: "Delete a read replica set",
        description: "Its nodes and its endpoint go; the service notices nothing.",
        params: ReadReplicaSetParams,
        response: answers(acceptedSet("Accepted: the set is being removed."), [
          ...ON_A_PROJECT,
          ...ON_WRITING,
          "CONFLICT",
        ]),
      },
    },
    async (request, reply): Promise<ReadReplicaSet> => {
      const outcome = await deleteService(store.db, setTargetOf(request));
      reply.code(202);
      return presentReadReplicaSet(deletedService(outcome));
    },
  );
}
