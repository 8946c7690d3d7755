import { ApiError } from "../../contract/errors.ts";
import { CreateVpcBody, MAX_VPCS_PER_PROJECT, parseVpcCidr, Vpc } from "../../contract/vpcs.ts";
import * as store from "../../store/vpcs.ts";
import { answers, ON_A_BODY, ON_A_PROJECT, ON_WRITING, VPC_EXAMPLE } from "../answers.ts";
import { type Api, type ApiContext, actorOf } from "../context.ts";
import { ProjectParams } from "../parameters.ts";
import { presentVpc } from "../present.ts";

/** How long the answer waits for the network. */
const THERE_WITHIN_MS = 3_000;

export function createVpc(api: Api, context: ApiContext): void {
  api.post(
    "/projects/:project_id/vpcs",
    {
      config: { access: "write" },
      schema: {
        operationId: "createVpc",
        tags: ["VPCs"],
        summary: "Create a VPC",
        description:
          "A private network with that range, in which you run your own containers; services that are attached to it " +
          "are reached there by `vpc_endpoint`. The answer waits up to three seconds until the network is there.",
        params: ProjectParams,
        body: CreateVpcBody,
        response: answers({ status: 201, description: "The VPC.", schema: Vpc, example: VPC_EXAMPLE }, [
          ...ON_A_BODY,
          ...ON_A_PROJECT,
          ...ON_WRITING,
          "CONFLICT",
          "NO_CAPACITY",
        ]),
      },
    },
    async (request, reply): Promise<Vpc> => {
      const { body, params } = request;
      const { db } = context.store;
      const actor = actorOf(request);
      const cidr = parseVpcCidr(body.cidr);
      if (cidr.kind === "refused") throw new ApiError("INVALID_REQUEST", `cidr: ${cidr.message}`);
      const outcome = await store.createVpc(db, {
        projectId: params.project_id,
        actor,
        name: body.name,
        cidr: cidr.cidr,
        regionCode: body.region_code ?? null,
      });
      const vpc = created(outcome);
      const seen = await store.awaitVpc(db, params.project_id, vpc.id, THERE_WITHIN_MS);
      if (seen?.problem) {
        // Something has taken the range since the engine was looked at last. Nobody knows of this VPC yet.
        await store.deleteVpc(db, { projectId: params.project_id, vpcId: vpc.id, actor });
        throw new ApiError("CONFLICT", `cidr ${vpc.cidr} cannot be had: ${seen.problem}`);
      }
      reply.code(201);
      return presentVpc(vpc);
    },
  );
}

function created(outcome: store.CreateVpcOutcome): store.VpcRow {
  switch (outcome.kind) {
    case "created":
      return outcome.vpc;
    case "which-region":
      throw new ApiError("INVALID_REQUEST", `region_code is required: one of ${outcome.known.join(", ")}`);
    case "unknown-region":
      if (outcome.known.length === 0)
        throw new ApiError("NO_CAPACITY", "no region has said yet what it has; try again in a moment");
      throw new ApiError("INVALID_REQUEST", `region_code must be one of ${outcome.known.join(", ")}`);
    case "taken":
      throw new ApiError("CONFLICT", `cidr overlaps with ${outcome.cidr}, used by ${outcome.usedBy}`);
    case "too-many":
      throw new ApiError("CONFLICT", `a project has at most ${MAX_VPCS_PER_PROJECT} VPCs`);
  }
}
