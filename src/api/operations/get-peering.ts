import { Peering } from "../../contract/vpcs.ts";
import * as store from "../../store/peerings.ts";
import { answers, ON_A_PROJECT, PEERING_EXAMPLE } from "../answers.ts";
import type { Api, ApiContext } from "../context.ts";
import { noSuchPeering, noSuchVpc, peeringIdIn, vpcIdIn } from "../missing.ts";
import { PeeringParams } from "../parameters.ts";
import { presentPeering } from "../present.ts";

export function getPeering(api: Api, context: ApiContext): void {
  api.get(
    "/projects/:project_id/vpcs/:vpc_id/peerings/:peering_id",
    {
      config: { access: "read" },
      schema: {
        operationId: "getPeering",
        tags: ["VPCs"],
        summary: "Show a peering",
        params: PeeringParams,
        response: answers(
          { status: 200, description: "The peering.", schema: Peering, example: PEERING_EXAMPLE },
          ON_A_PROJECT,
        ),
      },
    },
    async ({ params }): Promise<Peering> => {
      const target = { projectId: params.project_id, vpcId: vpcIdIn(params) };
      const peeringId = peeringIdIn(params);
      // There are few in any VPC.
      const all = await store.listPeerings(context.store.db, target);
      if (!all) throw noSuchVpc();
      const found = all.find(({ id }) => id === peeringId);
      if (!found) throw noSuchPeering();
      return presentPeering(found);
    },
  );
}
