import type { Plan } from "../../contract/plan.ts";
import type { Service } from "../../contract/service.ts";
import type { Service as Row, Shape } from "../../store/service-row.ts";
import { type ChangeRequest, changeShape, type ShapeDecision } from "../../store/services.ts";
import { accepted, answers, ON_A_PROJECT, ON_WRITING } from "../answers.ts";
import { presentChange } from "../change.ts";
import type { Api, ApiContext } from "../context.ts";
import { DryRunQuery, isDryRun, PLANNED, planShape } from "../dry-run.ts";
import { ServiceParams } from "../parameters.ts";
import { targetOf } from "../target.ts";

export function stopService(api: Api, { store }: ApiContext): void {
  api.post(
    "/projects/:project_id/services/:service_id/stop",
    {
      config: { access: "write" },
      schema: {
        operationId: "stopService",
        tags: ["Services"],
        summary: "Stop a service",
        description:
          "PostgreSQL is shut down cleanly and gives its CPU and memory back: PAUSING, then PAUSED. Endpoint, password, data, " +
          "replicas and size stay. What is changed meanwhile is in force after the next start. Refused while the service has " +
          "read replica sets, which would have nobody to follow.",
        params: ServiceParams,
        querystring: DryRunQuery,
        response: answers(
          [accepted("Accepted: the service is being stopped."), PLANNED],
          ["INVALID_REQUEST", ...ON_A_PROJECT, ...ON_WRITING, "CONFLICT"],
        ),
      },
    },
    async (request, reply): Promise<Service | Plan> => {
      const change: ChangeRequest = {
        ...targetOf(request),
        eventType: "service.stop.accepted",
        status: "PAUSING",
        decide: decideStop,
        unlessRead: true,
      };
      if (isDryRun(request.query)) return planShape(store.db, change);
      const outcome = await changeShape(store.db, change);
      reply.code(202);
      return presentChange(store.db, outcome);
    },
  );
}

function decideStop(current: Shape, { settled_generation }: Row): ShapeDecision {
  if (current.power === "stopped") return { kind: "refused", message: "the service is stopped already" };
  if (settled_generation === 0)
    return {
      kind: "conflict",
      message: "the service is still being created; it can be stopped once it was READY",
    };
  return { kind: "shape", shape: { ...current, power: "stopped" }, message: "A stop was accepted." };
}
