import type { Plan } from "../../contract/plan.ts";
import type { Service } from "../../contract/service.ts";
import type { Shape } from "../../store/service-row.ts";
import { type ChangeRequest, changeShape, type ShapeDecision } from "../../store/services.ts";
import { accepted, answers, ON_A_PROJECT, ON_WRITING } from "../answers.ts";
import { presentChange } from "../change.ts";
import type { Api, ApiContext } from "../context.ts";
import { DryRunQuery, isDryRun, PLANNED, planShape } from "../dry-run.ts";
import { ServiceParams } from "../parameters.ts";
import { targetOf } from "../target.ts";

export function startService(api: Api, { store }: ApiContext): void {
  api.post(
    "/projects/:project_id/services/:service_id/start",
    {
      config: { access: "write" },
      schema: {
        operationId: "startService",
        tags: ["Services"],
        summary: "Start a service that was stopped",
        description: "RESUMING, then READY: as it was before, with what was changed meanwhile.",
        params: ServiceParams,
        querystring: DryRunQuery,
        response: answers(
          [accepted("Accepted: the service is being started."), PLANNED],
          ["INVALID_REQUEST", ...ON_A_PROJECT, ...ON_WRITING, "CONFLICT"],
        ),
      },
    },
    async (request, reply): Promise<Service | Plan> => {
      const change: ChangeRequest = {
        ...targetOf(request),
        eventType: "service.start.accepted",
        status: "RESUMING",
        decide: decideStart,
      };
      if (isDryRun(request.query)) return planShape(store.db, change);
      const outcome = await changeShape(store.db, change);
      reply.code(202);
      return presentChange(store.db, outcome);
    },
  );
}

function decideStart(current: Shape): ShapeDecision {
  if (current.power === "running") return { kind: "refused", message: "the service runs already" };
  return { kind: "shape", shape: { ...current, power: "running" }, message: "A start was accepted." };
}
