import { Type } from "typebox";
import { Vpc } from "../../contract/vpcs.ts";
import * as store from "../../store/vpcs.ts";
import { answers, ON_A_PROJECT, VPC_EXAMPLE } from "../answers.ts";
import type { Api, ApiContext } from "../context.ts";
import { ProjectParams } from "../parameters.ts";
import { presentVpc } from "../present.ts";

export function listVpcs(api: Api, context: ApiContext): void {
  api.get(
    "/projects/:project_id/vpcs",
    {
      config: { access: "read" },
      schema: {
        operationId: "listVpcs",
        tags: ["VPCs"],
        summary: "List the VPCs of a project",
        params: ProjectParams,
        response: answers(
          {
            status: 200,
            description: "In the order they were made.",
            schema: Type.Array(Vpc),
            example: [VPC_EXAMPLE],
          },
          ON_A_PROJECT,
        ),
      },
    },
    async ({ params }): Promise<Vpc[]> => {
      return (await store.listVpcs(context.store.db, params.project_id)).map(presentVpc);
    },
  );
}
