/** Paths and methods that no route has. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ApiError } from "../contract/errors.ts";

/** Remembers every route of the app that is registered after this, and tells what is wrong with a request for none. */
export function rememberRoutes(app: FastifyInstance): (request: FastifyRequest) => ApiError {
  const methodsByPath = new Map<string, Set<string>>();
  app.addHook("onRoute", ({ url, method }) => {
    const methods = methodsByPath.get(url) ?? new Set();
    for (const each of [method].flat()) methods.add(each);
    methodsByPath.set(url, methods);
  });

  return ({ method, url }) => {
    const [path = ""] = url.split("?");
    const allowed = [...methodsByPath]
      .filter(([pattern]) => matches(pattern, path))
      .flatMap(([, methods]) => [...methods]);
    // A route of many files takes the method, and does not have the file.
    if (allowed.length === 0 || allowed.includes(method))
      return new ApiError("NOT_FOUND", "there is nothing at this path");
    const allow = [...new Set(allowed)].toSorted().join(", ");
    return new ApiError("METHOD_NOT_ALLOWED", `this path does not take ${method}`, {
      details: `It takes ${allow}.`,
      headers: { allow },
    });
  };
}

/** Segment by segment; `:name` stands for one, `*` for all that follow. */
function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split("/");
  const given = path.split("/");
  if (wanted.at(-1) === "*") return given.length >= wanted.length && wanted.slice(0, -1).every(same);
  return given.length === wanted.length && wanted.every(same);

  function same(part: string, index: number): boolean {
    return part.startsWith(":") ? given[index] !== "" : part === given[index];
  }
}
