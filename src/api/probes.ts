/** For whoever watches the program: no key needed, never counted against a limit. */
import type { FastifyInstance } from "fastify";
import { ApiError } from "../contract/errors.ts";
import { isReady, type Store } from "../store/db.ts";
import type { Metrics } from "./metrics.ts";

export function addProbes(app: FastifyInstance, store: Store, metrics: Metrics): void {
  const options = { config: { access: "probe" as const }, schema: { hide: true }, logLevel: "warn" as const };

  app.get("/healthz", options, async () => ({ status: "alive" }));

  app.get("/readyz", options, async () => {
    if (await isReady(store)) return { status: "ready" };
    throw new ApiError("UNAVAILABLE", "the state database cannot be reached", {
      headers: { "retry-after": "1" },
    });
  });

  app.get("/metrics", options, async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.render()),
  );
}
