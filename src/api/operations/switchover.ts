import type { Plan } from "../../contract/plan.ts";
import type { Service } from "../../contract/service.ts";
import type { Trx } from "../../store/db.ts";
import { rehearse } from "../../store/plans.ts";
import { type HandOverDecision, requestHandOver, requestHandOverIn } from "../../store/service-details.ts";
import type { Service as Row } from "../../store/service-row.ts";
import { accepted, answers, ON_A_PROJECT, ON_WRITING } from "../answers.ts";
import { presentChange } from "../change.ts";
import type { Api, ApiContext } from "../context.ts";
import { DryRunQuery, isDryRun, PLANNED, presentRehearsal } from "../dry-run.ts";
import { ServiceParams } from "../parameters.ts";
import { targetOf } from "../target.ts";

export function switchover(api: Api, { store }: ApiContext): void {
  api.post(
    "/projects/:project_id/services/:service_id/switchover",
    {
      config: { access: "write" },
      schema: {
        operationId: "switchover",
        tags: ["Services"],
        summary: "Let a replica take over the lead",
        description:
          "The primary hands over to the replica that is furthest, a synchronous one first, and becomes its replica. Transactions " +
          "of `tsdb_transaction` wait at the pooler meanwhile; other sessions end, and new connections wait.",
        params: ServiceParams,
        querystring: DryRunQuery,
        response: answers(
          [accepted("Accepted: the lead is handed over afterwards."), PLANNED],
          ["INVALID_REQUEST", ...ON_A_PROJECT, ...ON_WRITING, "CONFLICT"],
        ),
      },
    },
    async (request, reply): Promise<Service | Plan> => {
      const target = targetOf(request);
      if (isDryRun(request.query)) {
        const work = (trx: Trx) => requestHandOverIn(trx, target, decideHandOver);
        return presentRehearsal(await rehearse(store.db, target, work));
      }
      const outcome = await requestHandOver(store.db, target, decideHandOver);
      reply.code(202);
      return presentChange(store.db, outcome);
    },
  );
}

function decideHandOver({ power, settled_generation, replica_count, in_force }: Row): HandOverDecision {
  if (power === "stopped") return { kind: "conflict", message: "the service is stopped; start it first" };
  if (settled_generation === 0) return { kind: "conflict", message: "the service is still being created" };
  if (replica_count === 0)
    return {
      kind: "refused",
      message: "the service has no replica that could take over; setHA with a replica_count above 0 adds one",
    };
  const leader = in_force?.primary ?? null;
  return leader === null
    ? { kind: "conflict", message: "no member takes writes now, so there is no lead to hand over" }
    : { kind: "from", ordinal: leader };
}
