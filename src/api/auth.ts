/** Who asks, and whether they may. */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Role } from "../contract/account.ts";
import { ApiError } from "../contract/errors.ts";
import type { Store } from "../store/db.ts";
import { type Authentication, authenticate } from "../store/keys.ts";
import type { Audit } from "./audit.ts";
import { type Access, callerOf } from "./context.ts";
import { readCredentials } from "./credentials.ts";
import { noSuchProject } from "./missing.ts";
import type { Throttle } from "./throttle.ts";

const CHALLENGE = { "www-authenticate": 'Bearer realm="howdah"' };

const REFUSALS: Readonly<Record<Extract<Authentication, { kind: "refused" }>["why"], string>> = {
  unknown: "this API key is not known",
  revoked: "this API key was revoked",
  expired: "this API key has expired",
};

/** The hook before every operation: authentication, then the project, then the role. */
export function authorize(store: Store, throttle: Throttle, audit: Audit) {
  return async (request: FastifyRequest, _reply: FastifyReply): Promise<void> => {
    const { access } = request.routeOptions.config;
    if (access === "public" || access === "probe") return;
    request.caller = await authenticateRequest(store, throttle, audit, request);
    if (changesThings(access)) audit.begin(request, request.caller);
    requireProject(request);
    requireRole(request.caller.role, access);
  };
}

function changesThings(access: Access | undefined): boolean {
  return access === undefined || access === "write" || access === "depends";
}

const MAY_READ_ALL: ReadonlySet<Role> = new Set(["admin", "operator"]);

function requireRole(role: Role, access: Access | undefined): void {
  if (access === "operator" && role !== "operator")
    throw new ApiError("FORBIDDEN", "this needs an API key with the role operator");
  if (access === "admin" && !MAY_READ_ALL.has(role))
    throw new ApiError("FORBIDDEN", "this needs an API key with the role admin or operator");
  if (access !== "read" && access !== "depends" && role === "read_only") throw onlyReads();
}

export function onlyReads(): ApiError {
  return new ApiError("FORBIDDEN", "this API key may only read");
}

async function authenticateRequest(store: Store, throttle: Throttle, audit: Audit, request: FastifyRequest) {
  const header = request.headers.authorization;
  const given = readCredentials(header);
  if (!given) {
    await throttle.failed(request);
    const message = header ? "the Authorization header holds no API key" : "an API key is required";
    throw unauthorized(message);
  }
  await throttle.beforeTry(request, given);
  const authentication = await authenticate(store, given);
  if (authentication.kind === "caller") {
    throttle.succeeded(given);
    return authentication.caller;
  }
  await throttle.failed(request);
  if (authentication.why !== "unknown" && changesThings(request.routeOptions.config.access))
    audit.begin(request, authentication.caller);
  throw unauthorized(REFUSALS[authentication.why]);
}

/** Another project is answered like one that does not exist: nobody learns which ids there are. */
function requireProject(request: FastifyRequest): void {
  const { params } = request;
  if (typeof params !== "object" || params === null || !("project_id" in params)) return;
  if (params.project_id !== callerOf(request).projectId) throw noSuchProject();
}

export function unauthorized(
  message: string,
  details = "Send the header Authorization: Bearer <API_KEY>.",
): ApiError {
  return new ApiError("UNAUTHORIZED", message, {
    details,
    headers: CHALLENGE,
  });
}
