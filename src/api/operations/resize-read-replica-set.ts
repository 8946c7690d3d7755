import { ResizeReadReplicaSetBody } from "../../contract/read-replica-sets.ts";
import type { ReadReplicaSet } from "../../contract/service.ts";
import { chooseSize, type DedicatedSize, sizeInWords } from "../../contract/size.ts";
import { refuseParameters } from "../../planner/parameters.ts";
import { listReadReplicaSets, refuseNodes } from "../../store/read-replica-sets.ts";
import type { Shape } from "../../store/service-row.ts";
import { changeShape, type ShapeDecision } from "../../store/services.ts";
import { acceptedSet, answers, ON_A_BODY, ON_A_PROJECT, ON_WRITING } from "../answers.ts";
import { changedService } from "../change.ts";
import type { Api, ApiContext } from "../context.ts";
import { ReadReplicaSetParams } from "../parameters.ts";
import { presentReadReplicaSet } from "../present.ts";
import { noRoom } from "../room.ts";
import { setTargetOf } from "../target.ts";

export function resizeReadReplicaSet(api: Api, { store, overcommit, sizes }: ApiContext): void {
  api.post(
    "/projects/:project_id/services/:service_id/replicaSets/:replica_set_id/resize",
    {
      config: { access: "write" },
      schema: {
        operationId: "resizeReadReplicaSet",
        tags: ["Read replica sets"],
        summary: "Change the CPU and memory of a read replica set's nodes, and how many they are",
        description:
          "One of cpu_millis and memory_gbs implies the other. Nodes restart one at a time for a new size; with more than " +
          "one, the others answer meanwhile.",
        params: ReadReplicaSetParams,
        body: ResizeReadReplicaSetBody,
        response: answers(acceptedSet("Accepted: the nodes are changed afterwards."), [
          ...ON_A_BODY,
          ...ON_A_PROJECT,
          ...ON_WRITING,
          "CONFLICT",
          "NO_CAPACITY",
        ]),
      },
    },
    async (request, reply): Promise<ReadReplicaSet> => {
      const target = setTargetOf(request);
      const sets = await listReadReplicaSets(store.db, [target.readsFrom]);
      const others = sets.filter(({ id }) => id !== target.serviceId);
      const outcome = await changeShape(store.db, {
        ...target,
        eventType: "service.resize.accepted",
        decide: (current) =>
          decide(
            current,
            request.body,
            sizes,
            others.map(({ replica_count }) => 1 + replica_count),
          ),
        admit: (room, wanted) => noRoom(room, wanted, overcommit, sizes),
      });
      reply.code(202);
      return presentReadReplicaSet(changedService(outcome));
    },
  );
}

function decide(
  current: Shape,
  { nodes = 1 + current.replicaCount, cpu_millis, memory_gbs }: ResizeReadReplicaSetBody,
  sizes: readonly DedicatedSize[],
  others: readonly number[],
): ShapeDecision {
  const choice = chooseSize(
    {
      ...(cpu_millis === undefined ? {} : { cpu_millis: String(cpu_millis) }),
      ...(memory_gbs === undefined ? {} : { memory_gbs: String(memory_gbs) }),
    },
    sizes,
    false,
  );
  if (choice.kind === "refused") return choice;
  const tooMany = refuseNodes(others, nodes);
  if (tooMany !== null) return { kind: "conflict", message: tooMany };
  const size = choice.kind === "size" ? choice.size : current.size;
  const misfit = refuseParameters(current.parameters, size);
  if (misfit !== null)
    return { kind: "refused", message: `${misfit}; change or clear that parameter of the service first` };
  return {
    kind: "shape",
    shape: { ...current, size, replicaCount: nodes - 1 },
    message: `A resize to ${nodes} ${nodes === 1 ? "node" : "nodes"} of ${sizeInWords(size)} was accepted.`,
  };
}
