import { Vpc } from "../../contract/vpcs.ts";
import * as store from "../../store/vpcs.ts";
import { answers, ON_A_PROJECT, VPC_EXAMPLE } from "../answers.ts";
import type { Api, ApiContext } from "../context.ts";
import { noSuchVpc, vpcIdIn } from "../missing.ts";
import { VpcParams } from "../parameters.ts";
import { presentVpc } from "../present.ts";

export function getVpc(api: Api, context: ApiContext): void {
  api.get(
    "/projects/:project_id/vpcs/:vpc_id",
    {
      config: { access: "read" },
      schema: {
        operationId: "getVpc",
        tags: ["VPCs"],
        summary: "Show a VPC",
        params: VpcParams,
        response: answers(
          { status: 200, description: "The VPC.", schema: Vpc, example: VPC_EXAMPLE },
          ON_A_PROJECT,
        ),
      },
    },
    async ({ params }): Promise<Vpc> => {
      const found = await store.getVpc(context.store.db, params.project_id, vpcIdIn(params));
      if (!found) throw noSuchVpc();
      return presentVpc(found);
    },
  );
}
