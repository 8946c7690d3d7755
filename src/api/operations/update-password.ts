import { UpdatePasswordBody } from "../../contract/requests.ts";
import { scramVerifier } from "../../lib/scram.ts";
import { awaitService, changePassword } from "../../store/service-details.ts";
import type { Service } from "../../store/service-row.ts";
import { answers, message, ON_A_BODY, ON_A_PROJECT, ON_WRITING } from "../answers.ts";
import { changedService } from "../change.ts";
import type { Api, ApiContext } from "../context.ts";
import { ServiceParams } from "../parameters.ts";
import { targetOf } from "../target.ts";

/** How long the answer waits for the password to be in force. */
const IN_FORCE_WITHIN_MS = 8_000;
const NOT_YET = "The password was accepted. It is set as soon as a primary takes writes.";

export function updatePassword(api: Api, { store, encryption }: ApiContext): void {
  api.post(
    "/projects/:project_id/services/:service_id/updatePassword",
    {
      config: { access: "write" },
      schema: {
        operationId: "updatePassword",
        tags: ["Services"],
        summary: "Set the password of tsdbadmin",
        description:
          "The new password works and the old one does not once this is answered with 204, on every endpoint of the service. " +
          "It reaches PostgreSQL and the state database only as a SCRAM-SHA-256 verifier.",
        params: ServiceParams,
        body: UpdatePasswordBody,
        response: answers(
          [
            {
              status: 204,
              description: "The password is in force; in a stopped service, from its start on.",
            },
            message(202, "Accepted, and in force as soon as a primary takes writes.", NOT_YET),
          ],
          [...ON_A_BODY, ...ON_A_PROJECT, ...ON_WRITING, "CONFLICT"],
        ),
      },
    },
    async (request, reply) => {
      const target = targetOf(request);
      const verifier = await scramVerifier(request.body.password);
      const outcome = await changePassword(store.db, encryption, target, verifier);
      changedService(outcome);
      const service = await awaitService(store.db, target, isInForce, IN_FORCE_WITHIN_MS);
      return service && !isInForce(service)
        ? reply.code(202).send({ message: NOT_YET })
        : reply.code(204).send();
    },
  );
}

function isInForce({ power, password_version, in_force }: Service): boolean {
  return power === "stopped" || (in_force?.passwordVersion ?? 0) >= password_version;
}
