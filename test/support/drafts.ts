/** Services put into the store without the API. */
import { type CreateOutcome, type CreateRequest, createService } from "../../src/store/create-service.ts";
import { firstShape } from "../../src/store/service-row.ts";
import type { TestStore } from "./store.ts";

const SECRETS = {
  adminVerifier: "SCRAM-SHA-256$4096:c2FsdA==$c3RvcmVk:c2VydmVy",
  replicationPassword: "replication",
  rewindPassword: "rewind",
  monitorPassword: "monitor",
  patroniPassword: "patroni",
  poolerPassword: "pooler",
  poolerKey: "pooler key",
  parent: null,
};

/** Everything is accepted unless said otherwise; the response is the service's id. */
export function draft(
  { store, encryption, projectId, regionCode }: TestStore,
  changes: Partial<CreateRequest> = {},
): Promise<CreateOutcome> {
  return createService(store.db, encryption, {
    projectId,
    actor: "key:test",
    name: "orders",
    addons: ["time-series"],
    environment: "DEV",
    shape: firstShape({ kind: "dedicated", cpuMillis: 500, memoryGbs: 2 }),
    forkedFrom: null,
    readsFrom: null,
    regionCode,
    secrets: SECRETS,
    endpointHost: () => "db.example.test",
    admit: () => null,
    message: "accepted",
    respond: ({ id }) => id,
    idempotencyKey: null,
    ...changes,
  });
}

/** The id of a new service. */
export async function putService(test: TestStore, changes: Partial<CreateRequest> = {}): Promise<string> {
  const outcome = await draft(test, changes);
  if (outcome.kind !== "created") throw new Error(`Not created: ${JSON.stringify(outcome)}`);
  return outcome.response;
}
