import { ApiError } from "../../contract/errors.ts";
import type { Message } from "../../contract/requests.ts";
import { VPC_PORT, VpcIdBody, vpcHost } from "../../contract/vpcs.ts";
import * as store from "../../store/attachments.ts";
import { awaitService } from "../../store/service-details.ts";
import type { Service } from "../../store/service-row.ts";
import { answers, message, ON_A_BODY, ON_A_PROJECT, ON_WRITING } from "../answers.ts";
import { refusalOf } from "../change.ts";
import type { Api, ApiContext } from "../context.ts";
import { noSuchService, noSuchVpc, vpcIdIn } from "../missing.ts";
import { ServiceParams } from "../parameters.ts";
import { targetOf } from "../target.ts";

/** How long the answer waits for it. */
const IN_FORCE_WITHIN_MS = 4_000;

export function attachToVpc(api: Api, context: ApiContext): void {
  api.post(
    "/projects/:project_id/services/:service_id/attachToVPC",
    {
      config: { access: "write" },
      schema: {
        operationId: "attachToVPC",
        tags: ["VPCs"],
        summary: "Attach a service to a VPC",
        description:
          "The service is reached from there by `vpc_endpoint`, which its record has as soon as it is so, whatever its " +
          "allow-list says. Connections that there are notice nothing. One service is attached to one VPC at most.",
        params: ServiceParams,
        body: VpcIdBody,
        response: answers(
          message(
            202,
            "Accepted, and in force as soon as the endpoint stands in the network.",
            `The service is reached in VPC 1 at ${vpcHost("k3v9x0q2ab")}:${VPC_PORT}.`,
          ),
          [...ON_A_BODY, ...ON_A_PROJECT, ...ON_WRITING, "CONFLICT"],
        ),
      },
    },
    async (request, reply): Promise<Message> => {
      const { db } = context.store;
      const target = targetOf(request);
      const vpcId = vpcIdIn(request.body);
      requireAccepted(await store.attachToVpc(db, { ...target, vpcId }));
      const isInForce = ({ in_force }: Service) => in_force?.vpc?.vpcId === String(vpcId);
      const service = await awaitService(db, target, isInForce, IN_FORCE_WITHIN_MS);
      if (!service) throw noSuchService();
      reply.code(202);
      const address = `${vpcHost(service.id)}:${VPC_PORT}`;
      return {
        message: isInForce(service)
          ? `The service is reached in VPC ${vpcId} at ${address}.`
          : `The service is about to be reached in VPC ${vpcId} at ${address}.`,
      };
    },
  );
}

function requireAccepted(outcome: store.AttachOutcome): void {
  switch (outcome.kind) {
    case "accepted":
      return;
    case "no-vpc":
      throw noSuchVpc();
    case "attached-elsewhere":
      throw new ApiError("CONFLICT", `the service is attached to VPC ${outcome.vpcId}`, {
        details: "Detach it from that one first.",
      });
    case "other-region":
      throw new ApiError(
        "INVALID_REQUEST",
        `vpc_id must be that of a VPC in the service's region ${outcome.serviceRegion}; this one is in ${outcome.vpcRegion}`,
      );
    default:
      throw refusalOf(outcome);
  }
}
