import { ChangeParametersBody, Parameters } from "../../contract/parameters.ts";
import type { Plan } from "../../contract/plan.ts";
import { canonicalValue, findParameter } from "../../planner/parameters.ts";
import type { Shape } from "../../store/service-row.ts";
import { type ChangeRequest, changeShape, type ShapeDecision } from "../../store/services.ts";
import { answers, ON_A_BODY, ON_A_PROJECT, ON_WRITING } from "../answers.ts";
import { changedService } from "../change.ts";
import type { Api, ApiContext } from "../context.ts";
import { DryRunQuery, isDryRun, PLANNED, planShape } from "../dry-run.ts";
import { ServiceParams } from "../parameters.ts";
import { PARAMETERS_EXAMPLE, presentParameters } from "../present-parameters.ts";
import { targetOf } from "../target.ts";

const MOST_SENTENCES = 5;

export function changeParameters(api: Api, { store }: ApiContext): void {
  api.patch(
    "/projects/:project_id/services/:service_id/parameters",
    {
      config: { access: "write" },
      schema: {
        operationId: "changeParameters",
        tags: ["Services"],
        summary: "Change settings of the database",
        description:
          "What is not named stays as it is; null takes a choice back. Most settings are in force within seconds and " +
          "nobody notices. Those with `restart_required` make PostgreSQL restart at once: the only member within a second " +
          "or so, its sessions end; with replicas one member after another, the primary last by handing over.",
        params: ServiceParams,
        querystring: DryRunQuery,
        body: ChangeParametersBody,
        response: answers(
          [
            {
              status: 202,
              description: "Accepted: the settings are changed afterwards.",
              schema: Parameters,
              example: PARAMETERS_EXAMPLE,
            },
            PLANNED,
          ],
          [...ON_A_BODY, ...ON_A_PROJECT, ...ON_WRITING, "CONFLICT"],
        ),
      },
    },
    async (request, reply): Promise<Parameters | Plan> => {
      const change: ChangeRequest = {
        ...targetOf(request),
        eventType: "service.parameters.accepted",
        decide: (current) => decideParameters(current, request.body),
      };
      if (isDryRun(request.query)) return planShape(store.db, change);
      const outcome = await changeShape(store.db, change);
      const service = changedService(outcome);
      reply.code(202);
      return presentParameters(service);
    },
  );
}

export function decideParameters(current: Shape, asked: ChangeParametersBody): ShapeDecision {
  const parameters = new Map(Object.entries(current.parameters));
  const changes: string[] = [];
  const refusals: string[] = [];
  for (const [name, input] of Object.entries(asked.parameters)) {
    const parameter = findParameter(name);
    if (!parameter) {
      refusals.push(
        `${JSON.stringify(name.slice(0, 64))} is no parameter that can be changed; GET lists those that can`,
      );
    } else if (input === null) {
      parameters.delete(name);
      changes.push(`${name} as the size has it`);
    } else {
      const canonical = canonicalValue(parameter, input, current.size);
      if (canonical.kind === "refused") refusals.push(canonical.message);
      else {
        parameters.set(name, canonical.value);
        changes.push(`${name} ${canonical.value}`);
      }
    }
  }
  if (refusals.length > 0) return { kind: "refused", message: inOneLine(refusals) };
  return {
    kind: "shape",
    shape: { ...current, parameters: Object.fromEntries(parameters) },
    message: `Settings were accepted: ${changes.join(", ")}.`,
  };
}

function inOneLine(refusals: readonly string[]): string {
  const more = refusals.length - MOST_SENTENCES;
  return refusals.slice(0, MOST_SENTENCES).join("; ") + (more > 0 ? `; and ${more} more` : "");
}
