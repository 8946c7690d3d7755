import { Plan } from "../../contract/plan.ts";
import { getPlannedService } from "../../store/plans.ts";
import { answers, ON_A_PROJECT } from "../answers.ts";
import type { Api, ApiContext } from "../context.ts";
import { PLAN_EXAMPLE } from "../dry-run.ts";
import { noSuchService, serviceIdIn } from "../missing.ts";
import { ServiceParams } from "../parameters.ts";
import { presentPlan } from "../present-plan.ts";

const EXAMPLE: Plan = {
  ...PLAN_EXAMPLE,
  dry_run: false,
  since: "2026-11-21T09:29:58.000Z",
  waiting_for: {
    reason: "step:setLimits",
    message: "Setting the CPU and memory of member 0: the engine is busy.",
    since: "2026-11-21T09:30:01.000Z",
    overdue: false,
  },
};

export function getPlan(api: Api, { store }: ApiContext): void {
  api.get(
    "/projects/:project_id/services/:service_id/plan",
    {
      config: { access: "read" },
      schema: {
        operationId: "getPlan",
        tags: ["Services"],
        summary: "Tell what is still to be done for a service, and what it waits for",
        description:
          "Everything from what was observed last to the end, as it goes where nothing comes between, with the interruption " +
          "that clients are to expect. The operations that change a service tell the same of themselves with `dry_run=true`.",
        params: ServiceParams,
        response: answers(
          { status: 200, description: "What is still to be done.", schema: Plan, example: EXAMPLE },
          ON_A_PROJECT,
        ),
      },
    },
    async ({ params }): Promise<Plan> => {
      const service = await getPlannedService(store.db, params.project_id, serviceIdIn(params));
      if (!service) throw noSuchService();
      return presentPlan(service, false);
    },
  );
}
