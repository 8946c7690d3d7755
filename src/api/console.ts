/** The web console's files, at the root of whatever address the server has. */
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";

const NONCE_BYTES = 16;
/** In the built page; each answer has a word of its own in its place. */
const NONCE_MARK = /\bNONCE\b/g;
const HIDDEN = { config: { access: "public" as const }, schema: { hide: true } };

/**
 * No key is needed: the files are the same for everybody, and know nothing.
 *
 * @param folder what the build made
 */
export async function serveConsole(app: FastifyInstance, folder: string): Promise<void> {
  const [page, icon] = await Promise.all([
    readFile(path.join(folder, "index.html"), "utf8"),
    readFile(path.join(folder, "icon.svg")),
  ]);
  app.get("/", HIDDEN, async (_request, reply) => {
    const nonce = randomBytes(NONCE_BYTES).toString("base64url");
    return reply
      .headers({ "content-security-policy": policy(nonce), "cache-control": "no-cache" })
      .type("text/html; charset=utf-8")
      .send(page.replaceAll(NONCE_MARK, nonce));
  });
  app.get("/icon.svg", HIDDEN, async (_request, reply) =>
    reply.header("cache-control", "max-age=86400").type("image/svg+xml").send(icon),
  );
  await app.register(fastifyStatic, {
    root: path.join(folder, "assets"),
    prefix: "/assets/",
    decorateReply: false,
    index: false,
    // Their names change with what is in them.
    setHeaders: (reply) => {
      void reply.header("cache-control", "public, max-age=31536000, immutable");
    },
    cacheControl: false,
    preCompressed: true,
  });
}

/**
 * Scripts and styles of this server alone, what stands in the page itself by a word that is never the same; requests to
 * nobody else, and no page around it.
 */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
