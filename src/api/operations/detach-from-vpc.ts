import { ApiError } from "../../contract/errors.ts";
import type { Message } from "../../contract/requests.ts";
import { VpcIdBody } from "../../contract/vpcs.ts";
import * as store from "../../store/attachments.ts";
import { awaitService } from "../../store/service-details.ts";
import type { Service } from "../../store/service-row.ts";
import { answers, message, ON_A_BODY, ON_A_PROJECT, ON_WRITING } from "../answers.ts";
import { refusalOf } from "../change.ts";
import type { Api, ApiContext } from "../context.ts";
import { noSuchVpc, vpcIdIn } from "../missing.ts";
import { ServiceParams } from "../parameters.ts";
import { targetOf } from "../target.ts";

/** How long the answer waits for it. */
const IN_FORCE_WITHIN_MS = 4_000;

export function detachFromVpc(api: Api, context: ApiContext): void {
  api.post(
    "/projects/:project_id/services/:service_id/detachFromVPC",
    {
      config: { access: "write" },
      schema: {
        operationId: "detachFromVPC",
        tags: ["VPCs"],
        summary: "Detach a service from its VPC",
        description:
          "Connections from the VPC and from what it is peered with end; all others notice nothing.",
        params: ServiceParams,
        body: VpcIdBody,
        response: answers(
          message(
            202,
            "Accepted, and in force as soon as the endpoint has left the network.",
            "The service is detached from VPC 1.",
          ),
          [...ON_A_BODY, ...ON_A_PROJECT, ...ON_WRITING, "CONFLICT"],
        ),
      },
    },
    async (request, reply): Promise<Message> => {
      const { db } = context.store;
      const target = targetOf(request);
      const vpcId = vpcIdIn(request.body);
      requireAccepted(await store.detachFromVpc(db, { ...target, vpcId }), vpcId);
      const isInForce = ({ in_force }: Service) => in_force?.vpc?.vpcId !== String(vpcId);
      const service = await awaitService(db, target, isInForce, IN_FORCE_WITHIN_MS);
      reply.code(202);
      const state = service && !isInForce(service) ? "about to be detached" : "detached";
      return { message: `The service is ${state} from VPC ${vpcId}.` };
    },
  );
}

function requireAccepted(outcome: store.DetachOutcome, vpcId: number): void {
  switch (outcome.kind) {
    case "accepted":
      return;
    case "no-vpc":
      throw noSuchVpc();
    case "not-attached":
      throw new ApiError("CONFLICT", `the service is not attached to VPC ${vpcId}`);
    default:
      throw refusalOf(outcome);
  }
}
