import { Errors } from "typebox/schema";
import { describe, expect, test } from "vitest";
import { BASE, openTestApi } from "../../test/support/api.ts";
import { nameSchemas } from "./openapi.ts";

const api = await openTestApi();
type Json = Record<string, unknown>;

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
  }[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Record<string, { schema: Json }> };
  readonly responses: Record<string, { description: string; content?: Record<string, Content> }>;
}

interface Content {
  readonly schema: Json;
  readonly example?: unknown;
  readonly examples?: Record<string, { value: unknown }>;
}

interface Document {
  readonly openapi: string;
  readonly servers: readonly { url: string }[];
  readonly security: readonly Json[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { schemas: Record<string, Json>; securitySchemes: Json };
}

// Fetched without a key: the document is open to everybody.
const answer = await api.app.inject(`${BASE}/openapi.json`);
const document: Document = answer.json();
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

const EXPECTED: Readonly<Record<string, readonly [string, ...number[]]>> = {
  getAuthInfo: ["get /auth/info", 200, 401, 429, 500, 503],
  logOut: ["post /auth/logout", 204, 401, 429, 500, 503],
  createSignInLink: ["post /auth/signInLinks", 201, 401, 403, 429, 500, 503],
  signIn: ["post /auth/signIn", 200, 400, 401, 413, 415, 429, 500, 503],
  getOperatorOverview: ["get /operator/overview", 200, 401, 403, 429, 500, 503],
  identifyAnalytics: ["post /analytics/identify", 200, 400, 401, 413, 415, 429, 500, 503],
  trackAnalytics: ["post /analytics/track", 200, 400, 401, 413, 415, 429, 500, 503],
  listProjects: ["get /projects", 200, 401, 429, 500, 503],
  listRegions: ["get /projects/{project_id}/regions", 200, 401, 404, 429, 500, 503],
  listServices: ["get /projects/{project_id}/services", 200, 401, 404, 429, 500, 503],
  listReadReplicaSets: [
    "get /projects/{project_id}/services/{service_id}/replicaSets",
    200,
    401,
    404,
    429,
    500,
    503,
  ],
  createReadReplicaSet: [
    "post /projects/{project_id}/services/{service_id}/replicaSets",
    202,
    400,
    401,
    403,
    404,
    409,
    413,
    415,
    422,
    429,
    500,
    503,
  ],
  resizeReadReplicaSet: [
    "post /projects/{project_id}/services/{service_id}/replicaSets/{replica_set_id}/resize",
    202,
    400,
    401,
    403,
    404,
    409,
    413,
    415,
    429,
    500,
    503,
  ],
  enableReadReplicaSetPooler: [
    "post /projects/{project_id}/services/{service_id}/replicaSets/{replica_set_id}/enablePooler",
    200,
    401,
    403,
    404,
    409,
    429,
    500,
    503,
  ],
  disableReadReplicaSetPooler: [
    "post /projects/{project_id}/services/{service_id}/replicaSets/{replica_set_id}/disablePooler",
    200,
    401,
    403,
    404,
    409,
    429,
    500,
    503,
  ],
  setReadReplicaSetEnvironment: [
    "post /projects/{project_id}/services/{service_id}/replicaSets/{replica_set_id}/setEnvironment",
    200,
    400,
    401,
    403,
    404,
    409,
    413,
    415,
    429,
    500,
    503,
  ],
  deleteReadReplicaSet: [
    "delete /projects/{project_id}/services/{service_id}/replicaSets/{replica_set_id}",
    202,
    401,
    403,
    404,
    409,
    429,
    500,
    503,
  ],
  createService: [
    "post /projects/{project_id}/services",
    202,
    400,
    401,
    403,
    404,
    409,
    413,
    415,
    422,
    429,
    500,
    503,
  ],
  getService: ["get /projects/{project_id}/services/{service_id}", 200, 401, 404, 429, 500, 503],
  deleteService: [
    "delete /projects/{project_id}/services/{service_id}",
    202,
    401,
    403,
    404,
    409,
    429,
    500,
    503,
  ],
  setHA: [
    "post /projects/{project_id}/services/{service_id}/setHA",
    200,
    202,
    400,
    401,
    403,
    404,
    409,
    413,
    415,
    429,
    500,
    503,
  ],
  resizeService: [
    "post /projects/{project_id}/services/{service_id}/resize",
    200,
    202,
    400,
    401,
    403,
    404,
    409,
    413,
    415,
    429,
    500,
    503,
  ],
  listParameters: [
    "get /projects/{project_id}/services/{service_id}/parameters",
    200,
    401,
    404,
    429,
    500,
    503,
  ],
  changeParameters: [
    "patch /projects/{project_id}/services/{service_id}/parameters",
    200,
    202,
    400,
    401,
    403,
    404,
    409,
    413,
    415,
    429,
    500,
    503,
  ],
  getServiceLogs: [
    "get /projects/{project_id}/services/{service_id}/logs",
    200,
    400,
    401,
    404,
    429,
    500,
    503,
  ],
  queryService: [
    "post /projects/{project_id}/services/{service_id}/query",
    200,
    400,
    401,
    403,
    404,
    409,
    413,
    415,
    422,
    429,
    500,
    503,
  ],
  listMetricSeries: [
    "get /projects/{project_id}/services/{service_id}/metrics/available-series",
    200,
    401,
    404,
    429,
    500,
    503,
  ],
  getMetricSeries: [
    "post /projects/{project_id}/services/{service_id}/metrics/series",
    200,
    400,
    401,
    404,
    413,
    415,
    429,
    500,
    503,
  ],
  getProjectMetrics: ["get /projects/{project_id}/metrics", 200, 401, 404, 429, 500, 503],
  getProjectMetricSeries: [
    "post /projects/{project_id}/metrics/series",
    200,
    400,
    401,
    404,
    413,
    415,
    429,
    500,
    503,
  ],
  stopService: [
    "post /projects/{project_id}/services/{service_id}/stop",
    200,
    202,
    400,
    401,
    403,
    404,
    409,
    429,
    500,
    503,
  ],
  switchover: [
    "post /projects/{project_id}/services/{service_id}/switchover",
    200,
    202,
    400,
    401,
    403,
    404,
    409,
    429,
    500,
    503,
  ],
  startService: [
    "post /projects/{project_id}/services/{service_id}/start",
    200,
    202,
    400,
    401,
    403,
    404,
    409,
    429,
    500,
    503,
  ],
  renameService: [
    "post /projects/{project_id}/services/{service_id}/rename",
    200,
    400,
    401,
    403,
    404,
    409,
    413,
    415,
    429,
    500,
    503,
  ],
  setEnvironment: [
    "post /projects/{project_id}/services/{service_id}/setEnvironment",
    200,
    400,
    401,
    403,
    404,
    409,
    413,
    415,
    429,
    500,
    503,
  ],
  updatePassword: [
    "post /projects/{project_id}/services/{service_id}/updatePassword",
    202,
    204,
    400,
    401,
    403,
    404,
    409,
    413,
    415,
    429,
    500,
    503,
  ],
  enablePooler: [
    "post /projects/{project_id}/services/{service_id}/enablePooler",
    200,
    401,
    403,
    404,
    409,
    429,
    500,
    503,
  ],
  disablePooler: [
    "post /projects/{project_id}/services/{service_id}/disablePooler",
    200,
    401,
    403,
    404,
    409,
    429,
    500,
    503,
  ],
  forkService: [
    "post /projects/{project_id}/services/{service_id}/forkService",
    202,
    400,
    401,
    403,
    404,
    409,
    413,
    415,
    422,
    429,
    500,
    503,
  ],
  listVpcs: ["get /projects/{project_id}/vpcs", 200, 401, 404, 429, 500, 503],
  createVpc: ["post /projects/{project_id}/vpcs", 201, 400, 401, 403, 404, 409, 413, 415, 429, 500, 503],
  getVpc: ["get /projects/{project_id}/vpcs/{vpc_id}", 200, 401, 404, 429, 500, 503],
  deleteVpc: ["delete /projects/{project_id}/vpcs/{vpc_id}", 204, 401, 403, 404, 409, 429, 500, 503],
  renameVpc: [
    "post /projects/{project_id}/vpcs/{vpc_id}/rename",
    200,
    400,
    401,
    403,
    404,
    413,
    415,
    429,
    500,
    503,
  ],
  listPeerings: ["get /projects/{project_id}/vpcs/{vpc_id}/peerings", 200, 401, 404, 429, 500, 503],
  createPeering: [
    "post /projects/{project_id}/vpcs/{vpc_id}/peerings",
    201,
    400,
    401,
    403,
    404,
    409,
    413,
    415,
    429,
    500,
    503,
  ],
  getPeering: [
    "get /projects/{project_id}/vpcs/{vpc_id}/peerings/{peering_id}",
    200,
    401,
    404,
    429,
    500,
    503,
  ],
  deletePeering: [
    "delete /projects/{project_id}/vpcs/{vpc_id}/peerings/{peering_id}",
    204,
    401,
    403,
    404,
    429,
    500,
    503,
  ],
  attachToVPC: [
    "post /projects/{project_id}/services/{service_id}/attachToVPC",
    202,
    400,
    401,
    403,
    404,
    409,
    413,
    415,
    429,
    500,
    503,
  ],
  detachFromVPC: [
    "post /projects/{project_id}/services/{service_id}/detachFromVPC",
    202,
    400,
    401,
    403,
    404,
    409,
    413,
    415,
    429,
    500,
    503,
  ],
  getAllowList: ["get /projects/{project_id}/services/{service_id}/allowList", 200, 401, 404, 429, 500, 503],
  setAllowList: [
    "put /projects/{project_id}/services/{service_id}/allowList",
    200,
    202,
    400,
    401,
    403,
    404,
    409,
    413,
    415,
    429,
    500,
    503,
  ],
  getDeletionProtection: [
    "get /projects/{project_id}/services/{service_id}/deletionProtection",
    200,
    401,
    404,
    429,
    500,
    503,
  ],
  setDeletionProtection: [
    "put /projects/{project_id}/services/{service_id}/deletionProtection",
    200,
    400,
    401,
    403,
    404,
    409,
    413,
    415,
    429,
    500,
    503,
  ],
  getPlan: ["get /projects/{project_id}/services/{service_id}/plan", 200, 401, 404, 429, 500, 503],
  listNodes: ["get /projects/{project_id}/services/{service_id}/nodes", 200, 401, 404, 429, 500, 503],
  listEvents: ["get /projects/{project_id}/events", 200, 400, 401, 404, 429, 500, 503],
  listWebhooks: ["get /projects/{project_id}/webhooks", 200, 401, 404, 429, 500, 503],
  createWebhook: [
    "post /projects/{project_id}/webhooks",
    201,
    400,
    401,
    403,
    404,
    409,
    413,
    415,
    429,
    500,
    503,
  ],
  getWebhook: ["get /projects/{project_id}/webhooks/{webhook_id}", 200, 401, 404, 429, 500, 503],
  updateWebhook: [
    "patch /projects/{project_id}/webhooks/{webhook_id}",
    200,
    400,
    401,
    403,
    404,
    413,
    415,
    429,
    500,
    503,
  ],
  deleteWebhook: ["delete /projects/{project_id}/webhooks/{webhook_id}", 204, 401, 403, 404, 429, 500, 503],
  rotateWebhookSecret: [
    "post /projects/{project_id}/webhooks/{webhook_id}/rotateSecret",
    200,
    401,
    403,
    404,
    429,
    500,
    503,
  ],
  testWebhook: ["post /projects/{project_id}/webhooks/{webhook_id}/test", 202, 401, 403, 404, 429, 500, 503],
  listWebhookDeliveries: [
    "get /projects/{project_id}/webhooks/{webhook_id}/deliveries",
    200,
    400,
    401,
    404,
    429,
    500,
    503,
  ],
  redeliverWebhook: [
    "post /projects/{project_id}/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver",
    202,
    401,
    403,
    404,
    429,
    500,
    503,
  ],
  listAuditRecords: ["get /projects/{project_id}/audit", 200, 400, 401, 403, 404, 429, 500, 503],
  getServiceEvents: [
    "get /projects/{project_id}/services/{service_id}/events",
    200,
    400,
    401,
    404,
    429,
    500,
    503,
  ],
};

describe("the document", () => {
  test("is OpenAPI 3.1, as JSON, relative to the base path", () => {
    expect(answer.headers["content-type"]).toMatch(/^application\/json/);
    expect(document.openapi).toBe("3.1.0");
    expect(document.servers).toEqual([{ url: BASE }]);
    expect(document.security).toEqual([{ bearer: [] }, { basic: [] }]);
    expect(Object.keys(document.components.securitySchemes)).toEqual(["bearer", "basic"]);
  });

  test("has every operation with every status it can answer, and nothing else", () => {
    const found = Object.fromEntries(
      operations.map(({ path, method, operation }) => [
        operation.operationId,
        [`${method} ${path}`, ...Object.keys(operation.responses).map(Number)],
      ]),
    );
    expect(found).toEqual(EXPECTED);
  });

  test("resolves all of its references", () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(
      ([, reference]) => reference,
    );
    expect(references.length).toBeGreaterThan(10);
    for (const reference of references)
      expect(Object.keys(document.components.schemas)).toContain(
        reference?.replace("#/components/schemas/", ""),
      );
  });

  test("names the schemas that clients generate types from", () => {
    expect(Object.keys(document.components.schemas)).toEqual([
      "AllowList",
      "AuditRecord",
      "AuditRecords",
      "AuthInfo",
      "ChangeParameters",
      "Condition",
      "CreatePeering",
      "CreateReadReplicaSet",
      "CreateService",
      "CreateVpc",
      "CreateWebhook",
      "DeletionProtection",
      "Error",
      "ForkService",
      "Interruption",
      "Message",
      "MetricSeries",
      "MetricSeriesRequest",
      "Node",
      "OperatorFailure",
      "OperatorJob",
      "OperatorOverview",
      "OperatorRegion",
      "OperatorWebhook",
      "Parameter",
      "Parameters",
      "Peering",
      "Plan",
      "PlannedStep",
      "Project",
      "ProjectEvents",
      "ProjectMetricSeriesRequest",
      "Query",
      "QueryAnswer",
      "QueryResult",
      "ReadNodes",
      "ReadReplicaSet",
      "Region",
      "RenameService",
      "RenameVpc",
      "Resize",
      "ResizeReadReplicaSet",
      "Service",
      "ServiceEvent",
      "ServiceEvents",
      "ServiceLogs",
      "ServiceNodes",
      "SetEnvironment",
      "SetHa",
      "SignIn",
      "SignInLink",
      "SignedIn",
      "SizeOnOffer",
      "SizeSettings",
      "UpdatePassword",
      "UpdateWebhook",
      "Vpc",
      "VpcId",
      "WaitingFor",
      "Webhook",
      "WebhookDeliveries",
      "WebhookDelivery",
    ]);
  });

  test("writes unions of constants as enumerations", () => {
    expect(JSON.stringify(document)).not.toContain("anyOf");
    expect(document.components.schemas["Service"]).toMatchObject({
      properties: { service_type: { type: "string", enum: ["TIMESERIESDB", "POSTGRES", "VECTOR"] } },
    });
  });
});

describe.each(operations)("$operation.operationId", ({ path, operation }) => {
  test("says what it does, and declares every parameter in its path", () => {
    expect(operation.summary).not.toBe("");
    expect(operation.tags).toHaveLength(1);
    const declared = (operation.parameters ?? []).filter((each) => each.in === "path");
    expect(declared.map(({ name }) => `{${name}}`)).toEqual(
      [...path.matchAll(/\{\w+\}/g)].map(([name]) => name),
    );
    expect(declared.every(({ required }) => required)).toBe(true);
  });

  test("has examples that match their schemas", () => {
    for (const [status, { description, content }] of Object.entries(operation.responses)) {
      expect(description).not.toBe("");
      expect(content === undefined).toBe(status === "204");
      for (const { schema, example, examples } of Object.values(content ?? {})) {
        const values = [
          ...(example === undefined ? [] : [example]),
          ...Object.values(examples ?? {}).map((each) => each.value),
        ];
        expect(values).not.toEqual([]);
        for (const value of values) expect(Errors(resolve(schema), value)[1]).toEqual([]);
      }
    }
  });
});

test("the page to browse it is served from here alone", async () => {
  const page = await api.app.inject("/docs/");
  expect(page.statusCode).toBe(200);
  expect(page.body).not.toMatch(/(src|href)="(https?:)?\/\//);
  expect((await api.app.inject("/docs/json")).json()).toEqual(document);
  expect((await api.app.inject("/docs/static/swagger-ui-bundle.js")).statusCode).toBe(200);
});

test("naming schemas leaves what has no title where it is", () => {
  const inner = { type: "object", title: "Inner", properties: { title: { type: "string" } } };
  expect(nameSchemas({ paths: { a: { type: "object", properties: { inner } } } })).toEqual({
    paths: { a: { type: "object", properties: { inner: { $ref: "#/components/schemas/Inner" } } } },
    components: { schemas: { Inner: inner } },
  });
});

/** With its references replaced by what they mean. */
function resolve(schema: Json): Json {
  const text = JSON.stringify(schema, (_, value: unknown) => {
    if (typeof value !== "object" || value === null || !("$ref" in value)) return value;
    return resolve(document.components.schemas[String(value.$ref).split("/").at(-1) ?? ""] ?? {});
  });
  return JSON.parse(text);
}
