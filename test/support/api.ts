/** The API on a database of the test file's own, and short ways to ask it. */
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from "fastify";
import { afterAll } from "vitest";
import { type AppOptions, createApp } from "../../src/api/app.ts";
import type { Role } from "../../src/contract/account.ts";
import { createKey, type NewKey } from "../../src/store/keys.ts";
import { openTestStore, type TestStore } from "./store.ts";

export const BASE = "/api/v1";

export interface TestApi extends TestStore {
  readonly app: FastifyInstance;
  readonly key: NewKey;
  /** `/api/v1/projects/{id of the key's project}/services` */
  readonly services: string;
  /** With the admin key, or another. A body is sent as JSON. */
  ask(method: Method, path: string, body?: unknown, apiKey?: string | null): Promise<LightMyRequestResponse>;
  newKey(role: Role, expiresAt?: Date): Promise<NewKey>;
  /** Creates a service and returns its record. */
  create(body?: Record<string, unknown>): Promise<{ service_id: string; [field: string]: unknown }>;
}

type Method = "GET" | "POST" | "PUT" | "DELETE" | "PATCH" | "HEAD" | "OPTIONS";

/** To be called where a test file begins. */
export async function openTestApi(options: Partial<AppOptions> = {}): Promise<TestApi> {
  const base = await openTestStore();
  const { store, encryption, projectId } = base;
  const app = await createApp({ store, encryption, endpointHost: () => "db.example.test", ...options });
  afterAll(() => app.close());
  const newKey = (role: Role, expiresAt?: Date) =>
    createKey(store.db, { projectId, name: `${role} key`, role, expiresAt: expiresAt ?? null });
  const key = await newKey("admin");
  const services = `${BASE}/projects/${projectId}/services`;

  const ask: TestApi["ask"] = (method, url, body, apiKey = key.apiKey) => {
    const request: InjectOptions = {
      method,
      url,
      headers: {
        ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    };
    return app.inject(request);
  };

  return {
    ...base,
    app,
    key,
    services,
    ask,
    newKey,
    async create(body = {}) {
      const answer = await ask("POST", services, { name: "orders", ...body });
      if (answer.statusCode !== 202) throw new Error(`${answer.statusCode}: ${answer.body}`);
      return answer.json();
    },
  };
}
