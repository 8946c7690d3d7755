import { ReadReplicaSets } from "../../contract/read-replica-sets.ts";
import type { ReadReplicaSet } from "../../contract/service.ts";
import * as store from "../../store/read-replica-sets.ts";
import { getService } from "../../store/services.ts";
import { answers, ON_A_PROJECT, READ_REPLICA_SET_EXAMPLE } from "../answers.ts";
import type { Api, ApiContext } from "../context.ts";
import { noSuchService, serviceIdIn } from "../missing.ts";
import { ServiceParams } from "../parameters.ts";
import { presentReadReplicaSet } from "../present.ts";

export function listReadReplicaSets(api: Api, context: ApiContext): void {
  api.get(
    "/projects/:project_id/services/:service_id/replicaSets",
    {
      config: { access: "read" },
      schema: {
        operationId: "listReadReplicaSets",
        tags: ["Read replica sets"],
        summary: "List the read replica sets of a service",
        params: ServiceParams,
        response: answers(
          {
            status: 200,
            description: "All of them, in the order they were created.",
            schema: ReadReplicaSets,
            example: [{ ...READ_REPLICA_SET_EXAMPLE, status: "active" }],
          },
          ON_A_PROJECT,
        ),
      },
    },
    async ({ params }): Promise<ReadReplicaSet[]> => {
      const { db } = context.store;
      const parent = await getService(db, params.project_id, serviceIdIn(params));
      if (!parent) throw noSuchService();
      return (await store.listReadReplicaSets(db, [parent.id])).map(presentReadReplicaSet);
    },
  );
}
