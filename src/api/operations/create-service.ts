import { createHash } from "node:crypto";
import { Type } from "typebox";
import { ApiError } from "../../contract/errors.ts";
import { CreateServiceBody } from "../../contract/requests.ts";
import { chooseSize, type DedicatedSize, describeSize, type Size } from "../../contract/size.ts";
import { randomSecret } from "../../lib/random-secret.ts";
import { scramVerifier } from "../../lib/scram.ts";
import type { ServiceSecrets } from "../../lib/service-secrets.ts";
import * as store from "../../store/create-service.ts";
import { accepted, answers, ON_A_BODY, ON_A_PROJECT, ON_WRITING, SERVICE_EXAMPLE } from "../answers.ts";
import { type Api, type ApiContext, actorOf } from "../context.ts";
import { ProjectParams } from "../parameters.ts";
import { presentService } from "../present.ts";
import { noRoom } from "../room.ts";

const Headers = Type.Object({
  "idempotency-key": Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        "Any text. The same key with the same body gives the same answer for 24 hours, initial password included, " +
        "and creates nothing again.",
    }),
  ),
});

const EXAMPLE = { ...SERVICE_EXAMPLE, initial_password: "example-only-not-a-real-one" };

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
        headers: Headers,
        body: CreateServiceBody,
        response: answers(
          { ...accepted("Accepted: the service is deployed afterwards."), example: EXAMPLE },
          [...ON_A_BODY, ...ON_A_PROJECT, ...ON_WRITING, "NO_CAPACITY", "IDEMPOTENCY_KEY_REUSED"],
        ),
      },
    },
    async (request, reply) => {
      const { body, headers, params } = request;
      const size = sizeFor(body, context.sizes);
      const shape = { size, replicaCount: body.replica_count ?? 0, syncReplicaCount: 0 };
      const initialPassword = randomSecret();
      const key = headers["idempotency-key"];
      const outcome = await store.createService(context.store.db, context.encryption, {
        projectId: params.project_id,
        actor: actorOf(request),
        name: body.name,
        addons: body.addons ? [...new Set(body.addons)] : ["time-series"],
        environment: body.environment_tag ?? "DEV",
        shape,
        regionCode: body.region_code ?? null,
        secrets: await makeSecrets(initialPassword),
        endpointHost: context.endpointHost,
        admit: (room, wanted) => noRoom(room, wanted, context.overcommit, context.sizes),
        message: `${body.name} was accepted: size ${describeSize(size)}, ${shape.replicaCount} replicas.`,
        respond: (service) => JSON.stringify(presentService(service, { initialPassword })),
        idempotencyKey: key === undefined ? null : { key, requestHash: hashOf(body) },
      });
      return reply.code(202).type("application/json; charset=utf-8").send(responseOf(outcome));
    },
  );
}

function sizeFor(body: CreateServiceBody, sizes: readonly DedicatedSize[]): Size {
  const choice = chooseSize(body, sizes, true);
  switch (choice.kind) {
    case "size":
      return choice.size;
    case "refused":
      throw new ApiError("INVALID_REQUEST", choice.message);
    case "none":
      return defaultSize(sizes);
  }
}

/** 500/2 where it is on offer, else the smallest there is. */
function defaultSize(sizes: readonly DedicatedSize[]): Size {
  const usual = sizes.find(({ cpuMillis, memoryGbs }) => cpuMillis === 500 && memoryGbs === 2);
  return usual ?? sizes[0] ?? { kind: "shared" };
}

async function makeSecrets(initialPassword: string): Promise<ServiceSecrets> {
  return {
    adminVerifier: await scramVerifier(initialPassword),
    replicationPassword: randomSecret(),
    rewindPassword: randomSecret(),
    monitorPassword: randomSecret(),
    patroniPassword: randomSecret(),
  };
}

/** The order of the fields makes no other request. */
function hashOf(body: CreateServiceBody): Buffer {
  const fields = Object.entries(body).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(fields)).digest();
}

/** The record, as text. Throws what is told to the client where nothing was created. */
function responseOf(outcome: store.CreateOutcome): string {
  switch (outcome.kind) {
    case "created":
      return outcome.response;
    case "key-reused":
      throw new ApiError("IDEMPOTENCY_KEY_REUSED", "this Idempotency-Key came with another body before");
    case "unknown-region":
      if (outcome.known.length === 0)
        throw new ApiError("NO_CAPACITY", "no region has said yet what it has; try again in a moment");
      throw new ApiError("INVALID_REQUEST", `region_code must be one of ${outcome.known.join(", ")}`);
    case "no-room":
      throw new ApiError("NO_CAPACITY", outcome.message, { details: outcome.details });
    case "no-port":
      throw new ApiError("NO_CAPACITY", `no endpoint port is free in the region ${outcome.regionCode}`, {
        details: "Ports are looked for all the time; try again in a moment, or delete a service.",
      });
  }
}
