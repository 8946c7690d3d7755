import type { Plan } from "../../contract/plan.ts";
import { SetHaBody } from "../../contract/requests.ts";
import type { Service } from "../../contract/service.ts";
import type { Shape } from "../../store/service-row.ts";
import { type ChangeRequest, changeShape, type ShapeDecision } from "../../store/services.ts";
import { accepted, answers, ON_A_BODY, ON_A_PROJECT, ON_WRITING } from "../answers.ts";
import { presentChange } from "../change.ts";
import type { Api, ApiContext } from "../context.ts";
import { DryRunQuery, isDryRun, PLANNED, planShape } from "../dry-run.ts";
import { ServiceParams } from "../parameters.ts";
import { noRoom } from "../room.ts";
import { targetOf } from "../target.ts";

export function setHa(api: Api, { store, overcommit, sizes }: ApiContext): void {
  api.post(
    "/projects/:project_id/services/:service_id/setHA",
    {
      config: { access: "write" },
      schema: {
        operationId: "setHA",
        tags: ["Services"],
        summary: "Change how many replicas a service has",
        description:
          "`sync_replica_count` is how many of `replica_count` are synchronous. A field that is left out keeps its " +
          "value; where fewer replicas remain than were synchronous, all that remain are.",
        params: ServiceParams,
        querystring: DryRunQuery,
        body: SetHaBody,
        response: answers(
          [accepted("Accepted: the replicas are changed afterwards."), PLANNED],
          [...ON_A_BODY, ...ON_A_PROJECT, ...ON_WRITING, "CONFLICT", "NO_CAPACITY"],
        ),
      },
    },
    async (request, reply): Promise<Service | Plan> => {
      const change: ChangeRequest = {
        ...targetOf(request),
        eventType: "service.ha.accepted",
        decide: (current) => decideReplicas(current, request.body),
        admit: (room, wanted) => noRoom(room, wanted, overcommit, sizes),
      };
      if (isDryRun(request.query)) return planShape(store.db, change);
      const outcome = await changeShape(store.db, change);
      reply.code(202);
      return presentChange(store.db, outcome);
    },
  );
}

export function decideReplicas(current: Shape, asked: SetHaBody): ShapeDecision {
  const replicaCount = asked.replica_count ?? current.replicaCount;
  const syncReplicaCount = asked.sync_replica_count ?? Math.min(current.syncReplicaCount, replicaCount);
  if (syncReplicaCount > replicaCount) {
    return {
      kind: "refused",
      message:
        `sync_replica_count must not be above replica_count: ` +
        `${syncReplicaCount} synchronous replicas cannot be among ${replicaCount}`,
    };
  }
  return {
    kind: "shape",
    shape: { ...current, replicaCount, syncReplicaCount },
    message: `Replicas: ${replicaCount}, of which ${syncReplicaCount} synchronous, were accepted.`,
  };
}
