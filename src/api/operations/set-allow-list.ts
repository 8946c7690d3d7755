import { parseCidr } from "../../contract/cidr.ts";
import { ApiError } from "../../contract/errors.ts";
import { AllowList } from "../../contract/requests.ts";
import { awaitService } from "../../store/service-details.ts";
import type { Service } from "../../store/service-row.ts";
import { changeShape } from "../../store/services.ts";
import { ALLOW_LIST_EXAMPLE, answers, ON_A_BODY, ON_A_PROJECT, ON_WRITING } from "../answers.ts";
import { changedService } from "../change.ts";
import type { Api, ApiContext } from "../context.ts";
import { ServiceParams } from "../parameters.ts";
import { targetOf } from "../target.ts";

/** How long the answer waits for the list to be in force. */
const IN_FORCE_WITHIN_MS = 5_000;

export function setAllowList(api: Api, { store }: ApiContext): void {
  api.put(
    "/projects/:project_id/services/:service_id/allowList",
    {
      config: { access: "write" },
      schema: {
        operationId: "setAllowList",
        tags: ["Services"],
        summary: "Say from which addresses clients may connect",
        description:
          "Holds for the endpoint and the pooler alike, and replaces the list there was. Sessions of addresses that may no " +
          "longer connect end; all others notice nothing. A new service lets in every address.",
        params: ServiceParams,
        body: AllowList,
        response: answers(
          [
            { status: 200, description: "In force.", schema: AllowList, example: ALLOW_LIST_EXAMPLE },
            {
              status: 202,
              description: "Accepted, and in force as soon as the endpoint can be told.",
              schema: AllowList,
              example: ALLOW_LIST_EXAMPLE,
            },
          ],
          [...ON_A_BODY, ...ON_A_PROJECT, ...ON_WRITING, "CONFLICT"],
        ),
      },
    },
    async (request, reply): Promise<AllowList> => {
      const target = targetOf(request);
      const cidrs = canonical(request.body.cidrs);
      const outcome = await changeShape(store.db, {
        ...target,
        eventType: "service.allow-list.accepted",
        status: null,
        decide: (current) => ({
          kind: "shape",
          shape: { ...current, allowList: cidrs },
          message: `Connections from ${cidrs.join(", ") || "nowhere"} were allowed.`,
        }),
      });
      changedService(outcome);
      const service = await awaitService(store.db, target, isInForce, IN_FORCE_WITHIN_MS);
      reply.code(service && !isInForce(service) ? 202 : 200);
      return { cidrs: [...cidrs] };
    },
  );
}

/** Each range once, in the form that the endpoint is told. Throws INVALID_REQUEST, naming the first that is none. */
function canonical(cidrs: readonly string[]): readonly string[] {
  const choices = cidrs.map(parseCidr);
  const index = choices.findIndex(({ kind }) => kind === "refused");
  const refused = choices[index];
  if (refused?.kind === "refused")
    throw new ApiError("INVALID_REQUEST", `cidrs[${index}]: ${refused.message}`);
  return [...new Set(choices.flatMap((choice) => (choice.kind === "cidr" ? [choice.cidr] : [])))];
}

function isInForce({ allow_list: wanted, in_force }: Service): boolean {
  const list = in_force?.allowList;
  return list?.length === wanted.length && list.every((cidr, index) => cidr === wanted[index]);
}
