import { RenameVpcBody, Vpc } from "../../contract/vpcs.ts";
import * as store from "../../store/vpcs.ts";
import { answers, ON_A_BODY, ON_A_PROJECT, ON_WRITING, VPC_EXAMPLE } from "../answers.ts";
import type { Api, ApiContext } from "../context.ts";
import { noSuchVpc } from "../missing.ts";
import { VpcParams } from "../parameters.ts";
import { presentVpc } from "../present.ts";
import { vpcTargetOf } from "../target.ts";

export function renameVpc(api: Api, context: ApiContext): void {
  api.post(
    "/projects/:project_id/vpcs/:vpc_id/rename",
    {
      config: { access: "write" },
      schema: {
        operationId: "renameVpc",
        tags: ["VPCs"],
        summary: "Rename a VPC",
        description: "The engine's network keeps its name: that follows from the id.",
        params: VpcParams,
        body: RenameVpcBody,
        response: answers(
          { status: 200, description: "The VPC under its new name.", schema: Vpc, example: VPC_EXAMPLE },
          [...ON_A_BODY, ...ON_A_PROJECT, ...ON_WRITING],
        ),
      },
    },
    async (request): Promise<Vpc> => {
      const renamed = await store.renameVpc(context.store.db, vpcTargetOf(request), request.body.name);
      if (!renamed) throw noSuchVpc();
      return presentVpc(renamed);
    },
  );
}
