import { ApiError } from "../../contract/errors.ts";
import { CreateReadReplicaSetBody } from "../../contract/read-replica-sets.ts";
import { type Size, sizeInWords } from "../../contract/size.ts";
import { refuseParameters } from "../../planner/parameters.ts";
import { createService } from "../../store/create-service.ts";
import { readSecrets } from "../../store/service-details.ts";
import { firstShape } from "../../store/service-row.ts";
import { getService } from "../../store/services.ts";
import { acceptedSet, answers, ON_A_BODY, ON_A_PROJECT, ON_WRITING } from "../answers.ts";
import { type Api, type ApiContext, actorOf } from "../context.ts";
import { askedSize, createdResponse, IdempotencyHeaders, idempotencyKey } from "../creation.ts";
import { noSuchService, serviceIdIn } from "../missing.ts";
import { ServiceParams } from "../parameters.ts";
import { presentReadReplicaSet } from "../present.ts";
import { noRoom } from "../room.ts";

export function createReadReplicaSet(api: Api, context: ApiContext): void {
  api.post(
    "/projects/:project_id/services/:service_id/replicaSets",
    {
      config: { access: "write" },
      schema: {
        operationId: "createReadReplicaSet",
        tags: ["Read replica sets"],
        summary: "Add a read replica set to a service",
        description:
          "Nodes that follow the service's primary, behind an endpoint of their own that leads each new connection to the " +
          "one with the fewest. They only read, never become primary, and no commit waits for them. Logins, databases, " +
          "parameters and allow-list are the service's. The set's id is also that of a service, a standby.",
        params: ServiceParams,
        headers: IdempotencyHeaders,
        body: CreateReadReplicaSetBody,
        response: answers(acceptedSet("Accepted: the nodes are made afterwards."), [
          ...ON_A_BODY,
          ...ON_A_PROJECT,
          ...ON_WRITING,
          "CONFLICT",
          "NO_CAPACITY",
          "IDEMPOTENCY_KEY_REUSED",
        ]),
      },
    },
    async (request, reply) => {
      const { body, headers, params } = request;
      const { db } = context.store;
      const parent = await getService(db, params.project_id, serviceIdIn(params));
      if (!parent) throw noSuchService();
      const asked = { cpu_millis: String(body.cpu_millis), memory_gbs: String(body.memory_gbs) };
      const size = requireFitting(askedSize(asked, context.sizes), parent.parameters);
      const outcome = await createService(db, context.encryption, {
        projectId: params.project_id,
        actor: actorOf(request),
        name: body.name,
        addons: parent.addons,
        environment: parent.environment,
        shape: { ...firstShape(size), replicaCount: body.nodes - 1 },
        forkedFrom: null,
        readsFrom: parent.id,
        regionCode: parent.region_code,
        // Its nodes stand among the members of the service.
        secrets: await readSecrets(db, context.encryption, parent.id),
        endpointHost: context.endpointHost,
        admit: (room, wanted) => noRoom(room, wanted, context.overcommit, context.sizes),
        message: `${body.name} was accepted as a read replica set of ${parent.name}: ${body.nodes} of ${sizeInWords(size)}.`,
        respond: (set) => JSON.stringify(presentReadReplicaSet(set)),
        idempotencyKey: idempotencyKey(headers, { ...body, readsFrom: parent.id }),
      });
      return reply.code(202).type("application/json; charset=utf-8").send(createdResponse(outcome));
    },
  );
}

/** Throws what is told to the client where the service's parameters do not fit the size. */
function requireFitting(size: Size | null, parameters: Readonly<Record<string, string>>): Size {
  const misfit = size && refuseParameters(parameters, size);
  if (size && misfit === null) return size;
  throw new ApiError("INVALID_REQUEST", `${misfit}; change or clear that parameter of the service first`);
}
