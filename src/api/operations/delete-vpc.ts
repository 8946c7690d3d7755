import { ApiError } from "../../contract/errors.ts";
import * as store from "../../store/vpcs.ts";
import { answers, ON_A_PROJECT, ON_WRITING } from "../answers.ts";
import type { Api, ApiContext } from "../context.ts";
import { noSuchVpc } from "../missing.ts";
import { VpcParams } from "../parameters.ts";
import { vpcTargetOf } from "../target.ts";

export function deleteVpc(api: Api, context: ApiContext): void {
  api.delete(
    "/projects/:project_id/vpcs/:vpc_id",
    {
      config: { access: "write" },
      schema: {
        operationId: "deleteVpc",
        tags: ["VPCs"],
        summary: "Delete a VPC",
        description:
          "Refused with 409 while services are attached to it or it has peerings. Its network goes once no container of " +
          "yours is in it any more; nobody is thrown out.",
        params: VpcParams,
        response: answers({ status: 204, description: "Deleted." }, [
          ...ON_A_PROJECT,
          ...ON_WRITING,
          "CONFLICT",
        ]),
      },
    },
    async (request, reply) => {
      const outcome = await store.deleteVpc(context.store.db, vpcTargetOf(request));
      if (outcome.kind === "missing") throw noSuchVpc();
      if (outcome.kind === "in-use")
        throw new ApiError("CONFLICT", `the VPC is in use: ${users(outcome)}`, {
          details: "Detach its services and delete its peerings first.",
        });
      return reply.code(204).send();
    },
  );
}

function users(outcome: Extract<store.DeleteVpcOutcome, { kind: "in-use" }>): string {
  const { serviceIds, peeringIds } = outcome;
  return [
    ...(serviceIds.length > 0 ? [`attached are the services ${serviceIds.join(", ")}`] : []),
    ...(peeringIds.length > 0 ? [`it has the peerings ${peeringIds.join(", ")}`] : []),
  ].join("; ");
}
