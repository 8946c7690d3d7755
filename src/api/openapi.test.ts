import { Errors } from "typebox/schema";
import { describe, expect, test } from "vitest";
import { BASE, openTestApi } from "../../test/support/api.ts";
import { COMMON_STATUSES, OPERATIONS, SCHEMAS } from "../../test/support/documented-api.ts";
import { nameSchemas } from "./openapi.ts";

const api = await openTestApi();

// Fetched without a key: the document is open to everybody.
const answer = await api.app.inject(`${BASE}/openapi.json`);
const document: Document = answer.json();
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

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
    const expected = Object.fromEntries(
      Object.entries(OPERATIONS).map(([name, [route, ...own]]) => [
        name,
        [route, ...[...own, ...COMMON_STATUSES].toSorted((one, other) => one - other)],
      ]),
    );
    expect(found).toEqual(expected);
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
    expect(Object.keys(document.components.schemas)).toEqual(SCHEMAS);
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
