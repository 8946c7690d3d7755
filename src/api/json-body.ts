/** Bodies are JSON and nothing else. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ApiError } from "../contract/errors.ts";

/**
 * An empty body is none at all: clients send the header on every request. Keys such as `__proto__` need no care of their
 * own: JSON.parse makes plain properties of them, and the schemas refuse what they do not know.
 */
export function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "buffer" },
    async (_request: FastifyRequest, body: Buffer) => (body.length === 0 ? undefined : parse(body)),
  );
}

function parse(body: Buffer): unknown {
  const text = decode(body);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ApiError("INVALID_REQUEST", "the body is not valid JSON", { cause: error });
  }
}

function decode(body: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch (error) {
    throw new ApiError("INVALID_REQUEST", "the body is not valid UTF-8", { cause: error });
  }
}
