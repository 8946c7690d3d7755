import { CreateServiceBody } from "../../contract/requests.ts";
import { sizeInWords } from "../../contract/size.ts";
import { randomSecret } from "../../lib/random-secret.ts";
import * as store from "../../store/create-service.ts";
import { firstShape } from "../../store/service-row.ts";
import { accepted, answers, ON_A_BODY, ON_A_PROJECT, ON_WRITING, SERVICE_EXAMPLE } from "../answers.ts";
import { type Api, type ApiContext, actorOf } from "../context.ts";
import {
  askedSize,
  createdResponse,
  defaultSize,
  IdempotencyHeaders,
  idempotencyKey,
  makeSecrets,
} from "../creation.ts";
import { ProjectParams } from "../parameters.ts";
import { presentService } from "../present.ts";
import { noRoom } from "../room.ts";

const EXAMPLE = { ...SERVICE_EXAMPLE, initial_password: "example-only-not-a-real-one" };

function replicasInWords(count: number): string {
  return `${count === 0 ? "no" : count} ${count === 1 ? "replica" : "replicas"}`;
}

export function createService(api: Api, context: ApiContext): void {
  api.post(
    "/projects/:project_id/services",
    {
      config: { access: "write" },
      schema: {
        operationId: "createService",
        tags: ["Services"],
        summary: "Create a service",
        description:
          "The answer has the endpoint, where the database will listen once the status is READY, and the initial " +
          "password of `tsdbadmin`, which is shown nowhere else. The database is `tsdb`.",
        params: ProjectParams,
        headers: IdempotencyHeaders,
        body: CreateServiceBody,
        response: answers(
          { ...accepted("Accepted: the service is deployed afterwards."), example: EXAMPLE },
          [...ON_A_BODY, ...ON_A_PROJECT, ...ON_WRITING, "NO_CAPACITY", "IDEMPOTENCY_KEY_REUSED"],
        ),
      },
    },
    async (request, reply) => {
      const { body, headers, params } = request;
      const size = askedSize(body, context.sizes) ?? defaultSize(context.sizes);
      const replicaCount = body.replica_count ?? 0;
      const shape = { ...firstShape(size), replicaCount };
      const initialPassword = randomSecret();
      const outcome = await store.createService(context.store.db, context.encryption, {
        projectId: params.project_id,
        actor: actorOf(request),
        name: body.name,
        addons: body.addons ? [...new Set(body.addons)] : ["time-series"],
        environment: body.environment_tag ?? "DEV",
        shape,
        forkedFrom: null,
        readsFrom: null,
        regionCode: body.region_code ?? null,
        secrets: await makeSecrets(initialPassword, null),
        endpointHost: context.endpointHost,
        admit: (room, wanted) => noRoom(room, wanted, context.overcommit, context.sizes),
        message: `${body.name} was accepted: ${sizeInWords(size)}, ${replicasInWords(replicaCount)}.`,
        respond: (service) => JSON.stringify(presentService(service, { initialPassword })),
        idempotencyKey: idempotencyKey(headers, body),
      });
      return reply.code(202).type("application/json; charset=utf-8").send(createdResponse(outcome));
    },
  );
}
