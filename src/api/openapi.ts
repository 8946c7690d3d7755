/** The OpenAPI 3.1 document, made from the routes' own schemas, and a page to browse it. */
import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";

const DESCRIPTION = `A self-hosted cloud for PostgreSQL services.

Creating, changing and deleting a service is accepted at once (202) and applied afterwards: poll the service until its
status is READY, or until it answers 404 after a deletion. Its events tell why it is not there yet.

Errors have a \`code\` for programs and a \`message\` for people. 429 and 503 carry \`Retry-After\`.`;

/** To be registered before the routes. */
export async function describeApi(app: FastifyInstance, basePath: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Howdah",
        version: "1.0.0",
        description: DESCRIPTION,
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      servers: [{ url: basePath }],
      security: [{ bearer: [] }, { basic: [] }],
      components: {
        securitySchemes: {
          bearer: { type: "http", scheme: "bearer", description: "The API key." },
          basic: { type: "http", scheme: "basic", description: "The key's public half and its secret half." },
        },
      },
      tags: [
        { name: "Services", description: "PostgreSQL services." },
        { name: "Read replica sets", description: "Nodes that follow a service and are only read." },
        { name: "VPCs", description: "Private networks from which services are reached." },
        { name: "Projects", description: "What services belong to." },
        {
          name: "Events",
          description: "What happened, as lists, streams and webhooks; and who asked for it.",
        },
        { name: "Account", description: "The API key itself, and signing in to the console." },
        { name: "Operator", description: "The whole installation, over all of its projects." },
      ],
    },
    stripBasePath: true,
  });
  await app.register(swaggerUi, {
    routePrefix: "/docs",
    uiConfig: { docExpansion: "list", persistAuthorization: true, validatorUrl: null },
    transformSpecification: (document) => nameSchemas(document),
    transformSpecificationClone: false,
  });
}

/** The document, at its path below the base path. To be registered with the operations. */
export function serveDocument(api: FastifyInstance): void {
  let text: string | null = null;
  api.get(
    "/openapi.json",
    { config: { access: "public" }, schema: { hide: true } },
    async (_request, reply) => {
      text ??= JSON.stringify(nameSchemas(api.swagger()));
      return reply.type("application/json; charset=utf-8").send(text);
    },
  );
}

/** Every schema with a title becomes a component of that name; unions of constants become enumerations. */
export function nameSchemas(document: object): Record<string, unknown> {
  const schemas = new Map<string, unknown>();
  const named = Object.entries(document).map(([key, value]) => [key, visit(value)] as const);
  const components = "components" in document ? document.components : {};
  return {
    ...Object.fromEntries(named),
    components: {
      ...(isObject(components) ? components : {}),
      schemas: Object.fromEntries([...schemas].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    },
  };

  function visit(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(visit);
    if (!isObject(value)) return value;
    const visited = Object.fromEntries(Object.entries(value).map(([key, child]) => [key, visit(child)]));
    const schema = enumerate(visited);
    const { title } = schema;
    if (typeof title !== "string" || !("type" in schema)) return schema;
    schemas.set(title, schema);
    return { $ref: `#/components/schemas/${title}` };
  }
}

/** `anyOf` of constants, as the contract's unions are written, is an enumeration to everybody else. */
function enumerate(schema: Record<string, unknown>): Record<string, unknown> {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const constants = anyOf.map(constantOf);
  return constants.includes(null) ? schema : { type: "string", enum: constants, ...rest };
}

/** The generator of the document writes a constant as an enumeration of one. */
function constantOf(branch: unknown): string | null {
  if (!isObject(branch)) return null;
  const values: unknown[] = Array.isArray(branch["enum"]) ? branch["enum"] : [branch["const"]];
  const [value] = values;
  return values.length === 1 && typeof value === "string" ? value : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
