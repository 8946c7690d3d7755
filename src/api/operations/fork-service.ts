import { ApiError } from "../../contract/errors.ts";
import { ForkServiceBody } from "../../contract/requests.ts";
import { sizeInWords } from "../../contract/size.ts";
import { randomSecret } from "../../lib/random-secret.ts";
import * as store from "../../store/create-service.ts";
import { readSecrets } from "../../store/service-details.ts";
import { firstShape, type Service, sizeOf } from "../../store/service-row.ts";
import { getService } from "../../store/services.ts";
import { accepted, answers, ON_A_BODY, ON_A_PROJECT, ON_WRITING, SERVICE_EXAMPLE } from "../answers.ts";
import { type Api, type ApiContext, actorOf } from "../context.ts";
import { askedSize, createdResponse, IdempotencyHeaders, idempotencyKey, makeSecrets } from "../creation.ts";
import { noSuchService, serviceIdIn } from "../missing.ts";
import { ServiceParams } from "../parameters.ts";
import { presentService } from "../present.ts";
import { noRoom } from "../room.ts";

const EXAMPLE = {
  ...SERVICE_EXAMPLE,
  service_id: "f8s1w6e4td",
  name: "orders-fork",
  forked_from: {
    project_id: SERVICE_EXAMPLE.project_id,
    service_id: SERVICE_EXAMPLE.service_id,
    is_standby: false,
  },
  initial_password: "example-only-not-a-real-one",
};

export function forkService(api: Api, context: ApiContext): void {
  api.post(
    "/projects/:project_id/services/:service_id/forkService",
    {
      config: { access: "write" },
      schema: {
        operationId: "forkService",
        tags: ["Services"],
        summary: "Make a new service with the data of this one",
        description:
          "The fork has everything that was committed before the request, and may have some of what was committed while " +
          "it copied. It is independent from then on: roles of the tenant keep their passwords, `tsdbadmin` gets a new " +
          "one, which is in this answer alone. Type, region, database settings and allow-list are the parent's; " +
          "replicas, pooler and protection start anew. Only the strategy NOW is available yet.",
        params: ServiceParams,
        headers: IdempotencyHeaders,
        body: ForkServiceBody,
        response: answers({ ...accepted("Accepted: the fork is deployed afterwards."), example: EXAMPLE }, [
          ...ON_A_BODY,
          "NOT_AVAILABLE",
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
      requireNow(body);
      const parentId = serviceIdIn(params);
      const parent = await getService(context.store.db, params.project_id, parentId);
      if (!parent) throw noSuchService();
      requireCopyable(parent);
      const secrets = await readSecrets(context.store.db, context.encryption, parentId);
      const name = body.name ?? forkName(parent.name);
      const size = askedSize(body, context.sizes) ?? sizeOf(parent);
      const initialPassword = randomSecret();
      const outcome = await store.createService(context.store.db, context.encryption, {
        projectId: params.project_id,
        actor: actorOf(request),
        name,
        addons: parent.addons,
        environment: body.environment_tag ?? "DEV",
        shape: { ...firstShape(size), allowList: parent.allow_list, parameters: parent.parameters },
        forkedFrom: parentId,
        readsFrom: null,
        regionCode: parent.region_code,
        secrets: await makeSecrets(initialPassword, {
          serviceId: parentId,
          replicationPassword: secrets.replicationPassword,
        }),
        endpointHost: context.endpointHost,
        admit: (room, wanted) => noRoom(room, wanted, context.overcommit, context.sizes),
        message: `${name} was accepted as a fork of ${parent.name}: ${sizeInWords(size)}.`,
        respond: (service) => JSON.stringify(presentService(service, { initialPassword })),
        idempotencyKey: idempotencyKey(headers, { ...body, parentId }),
      });
      return reply.code(202).type("application/json; charset=utf-8").send(createdResponse(outcome));
    },
  );
}

function requireNow({ fork_strategy: strategy, target_time: time }: ForkServiceBody): void {
  if (strategy === "PITR" && time === undefined)
    throw new ApiError("INVALID_REQUEST", "target_time is required for the strategy PITR");
  if (strategy !== "PITR" && time !== undefined)
    throw new ApiError("INVALID_REQUEST", "target_time goes with the strategy PITR alone");
  if (strategy !== "NOW")
    throw new ApiError(
      "NOT_AVAILABLE",
      `fork_strategy ${strategy} needs backups, and this installation takes none yet`,
      {
        details: "NOW is available.",
      },
    );
}

/** Throws CONFLICT where there is no primary to copy from. */
function requireCopyable({ presence, power, settled_generation, read_from }: Service): void {
  if (read_from !== null)
    throw new ApiError("CONFLICT", `it is a read replica set; fork the service ${read_from} instead`);
  if (presence === "absent") throw new ApiError("CONFLICT", "the service is being deleted");
  if (settled_generation === 0)
    throw new ApiError("CONFLICT", "the service is still being created; it can be forked once it was READY");
  if (power === "stopped")
    throw new ApiError("CONFLICT", "the service is stopped; it can be forked while it runs");
}

const LONGEST_NAME = 128;
const SUFFIX = "-fork";

function forkName(name: string): string {
  return (
    Array.from(name)
      .slice(0, LONGEST_NAME - SUFFIX.length)
      .join("") + SUFFIX
  );
}
