import * as store from "../../store/peerings.ts";
import { answers, ON_A_PROJECT, ON_WRITING } from "../answers.ts";
import type { Api, ApiContext } from "../context.ts";
import { noSuchPeering, peeringIdIn } from "../missing.ts";
import { PeeringParams } from "../parameters.ts";
import { vpcTargetOf } from "../target.ts";

export function deletePeering(api: Api, context: ApiContext): void {
  api.delete(
    "/projects/:project_id/vpcs/:vpc_id/peerings/:peering_id",
    {
      config: { access: "write" },
      schema: {
        operationId: "deletePeering",
        tags: ["VPCs"],
        summary: "Delete a peering",
        description: "Connections from the other network end; all others go on.",
        params: PeeringParams,
        response: answers({ status: 204, description: "Deleted." }, [...ON_A_PROJECT, ...ON_WRITING]),
      },
    },
    async (request, reply) => {
      const target = vpcTargetOf(request);
      const deleted = await store.deletePeering(context.store.db, target, peeringIdIn(request.params));
      if (!deleted) throw noSuchPeering();
      return reply.code(204).send();
    },
  );
}
