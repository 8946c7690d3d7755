/** A fetch that asks an app without any network. */
import type { FastifyInstance, InjectOptions } from "fastify";
import type { Fetch } from "../../src/client/index.ts";

export function injectFetch(app: FastifyInstance): Fetch {
  return async (url, init) => {
    init.signal?.throwIfAborted();
    const { pathname, search } = new URL(url);
    const answer = await app.inject({
      method: methodOf(init.method),
      url: pathname + search,
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(typeof init.body === "string" ? { payload: init.body } : {}),
    });
    init.signal?.throwIfAborted();
    const headers = new Headers();
    for (const [name, value] of Object.entries(answer.headers)) headers.set(name, String(value));
    // A Response refuses a body where the status has none, even an empty one.
    return new Response(answer.body === "" ? null : answer.body, { status: answer.statusCode, headers });
  };
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

function methodOf(method: string | undefined): NonNullable<InjectOptions["method"]> {
  const known = METHODS.find((one) => one === method);
  if (!known) throw new Error(`the client has no reason to send ${method}`);
  return known;
}
