import { ApiError } from "../../contract/errors.ts";
import { CreatePeeringBody, MAX_PEERINGS_PER_VPC, Peering } from "../../contract/vpcs.ts";
import * as store from "../../store/peerings.ts";
import { answers, ON_A_BODY, ON_A_PROJECT, ON_WRITING, PEERING_EXAMPLE } from "../answers.ts";
import type { Api, ApiContext } from "../context.ts";
import { noSuchVpc } from "../missing.ts";
import { VpcParams } from "../parameters.ts";
import { presentPeering } from "../present.ts";
import { vpcTargetOf } from "../target.ts";

export function createPeering(api: Api, context: ApiContext): void {
  api.post(
    "/projects/:project_id/vpcs/:vpc_id/peerings",
    {
      config: { access: "write" },
      schema: {
        operationId: "createPeering",
        tags: ["VPCs"],
        summary: "Let the containers of another network reach the services of a VPC",
        description:
          "`peer_vpc_id` is the name of another network of the same engine. Services that are attached to the VPC are " +
          "reached there by the same name. The peering is PENDING first; `status` then tells whether it works, and " +
          "`error_message` why it does not. A network that comes later or comes back is found by itself.",
        params: VpcParams,
        body: CreatePeeringBody,
        response: answers(
          {
            status: 201,
            description: "The peering.",
            schema: Peering,
            example: { ...PEERING_EXAMPLE, status: "PENDING" },
          },
          [...ON_A_BODY, ...ON_A_PROJECT, ...ON_WRITING, "CONFLICT"],
        ),
      },
    },
    async (request, reply): Promise<Peering> => {
      const outcome = await store.createPeering(context.store.db, vpcTargetOf(request), request.body);
      const peering = created(outcome);
      reply.code(201);
      return presentPeering(peering);
    },
  );
}

function created(outcome: store.CreatePeeringOutcome): store.PeeringRow {
  switch (outcome.kind) {
    case "created":
      return outcome.peering;
    case "missing":
      throw noSuchVpc();
    case "peered-already":
      throw new ApiError("CONFLICT", `peering ${outcome.peeringId} leads to that network already`);
    case "too-many":
      throw new ApiError("CONFLICT", `a VPC has at most ${MAX_PEERINGS_PER_VPC} peerings`);
  }
}
