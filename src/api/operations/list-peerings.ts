import { Type } from "typebox";
import { Peering } from "../../contract/vpcs.ts";
import * as store from "../../store/peerings.ts";
import { answers, ON_A_PROJECT, PEERING_EXAMPLE } from "../answers.ts";
import type { Api, ApiContext } from "../context.ts";
import { noSuchVpc, vpcIdIn } from "../missing.ts";
import { VpcParams } from "../parameters.ts";
import { presentPeering } from "../present.ts";

export function listPeerings(api: Api, context: ApiContext): void {
  api.get(
    "/projects/:project_id/vpcs/:vpc_id/peerings",
    {
      config: { access: "read" },
      schema: {
        operationId: "listPeerings",
        tags: ["VPCs"],
        summary: "List the peerings of a VPC",
        params: VpcParams,
        response: answers(
          {
            status: 200,
            description: "In the order they were made.",
            schema: Type.Array(Peering),
            example: [PEERING_EXAMPLE],
          },
          ON_A_PROJECT,
        ),
      },
    },
    async ({ params }): Promise<Peering[]> => {
      const target = { projectId: params.project_id, vpcId: vpcIdIn(params) };
      const found = await store.listPeerings(context.store.db, target);
      if (!found) throw noSuchVpc();
      return found.map(presentPeering);
    },
  );
}
