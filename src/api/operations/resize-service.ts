import type { Plan } from "../../contract/plan.ts";
import { ResizeBody } from "../../contract/requests.ts";
import type { Service } from "../../contract/service.ts";
import { chooseSize, type DedicatedSize, type Size, sizeInWords } from "../../contract/size.ts";
import { refuseParameters } from "../../planner/parameters.ts";
import type { Shape } from "../../store/service-row.ts";
import { type ChangeRequest, changeShape, type ShapeDecision } from "../../store/services.ts";
import { accepted, answers, ON_A_BODY, ON_A_PROJECT, ON_WRITING } from "../answers.ts";
import { presentChange } from "../change.ts";
import type { Api, ApiContext } from "../context.ts";
import { DryRunQuery, isDryRun, PLANNED, planShape } from "../dry-run.ts";
import { ServiceParams } from "../parameters.ts";
import { noRoom } from "../room.ts";
import { targetOf } from "../target.ts";

export function resizeService(api: Api, { store, overcommit, sizes }: ApiContext): void {
  api.post(
    "/projects/:project_id/services/:service_id/resize",
    {
      config: { access: "write" },
      schema: {
        operationId: "resizeService",
        tags: ["Services"],
        summary: "Change the CPU and memory of a service",
        description:
          "One of the two values implies the other. Every member gets the new size. Refused where a parameter that was chosen " +
          "does not fit the new size.",
        params: ServiceParams,
        querystring: DryRunQuery,
        body: ResizeBody,
        response: answers(
          [accepted("Accepted: the size is changed afterwards."), PLANNED],
          [...ON_A_BODY, ...ON_A_PROJECT, ...ON_WRITING, "CONFLICT", "NO_CAPACITY"],
        ),
      },
    },
    async (request, reply): Promise<Service | Plan> => {
      const change: ChangeRequest = {
        ...targetOf(request),
        eventType: "service.resize.accepted",
        decide: (current) => decideSize(current, request.body, sizes),
        admit: (room, wanted) => noRoom(room, wanted, overcommit, sizes),
      };
      if (isDryRun(request.query)) return planShape(store.db, change);
      const outcome = await changeShape(store.db, change);
      reply.code(202);
      return presentChange(store.db, outcome);
    },
  );
}

function decideSize(current: Shape, asked: ResizeBody, sizes: readonly DedicatedSize[]): ShapeDecision {
  const choice = chooseSize(asked, sizes, false);
  switch (choice.kind) {
    case "refused":
      return choice;
    case "none":
      return { kind: "refused", message: "cpu_millis or memory_gbs is required" };
    case "size":
      return decideFitting(current, choice.size);
  }
}

function decideFitting(current: Shape, size: Size): ShapeDecision {
  const misfit = refuseParameters(current.parameters, size);
  if (misfit !== null)
    return { kind: "refused", message: `${misfit}; change or clear that parameter before this resize` };
  return {
    kind: "shape",
    shape: { ...current, size },
    message: `A resize to ${sizeInWords(size)} was accepted.`,
  };
}
