import type { FastifyReply } from "fastify";
import { ApiError } from "../../contract/errors.ts";
import { QUERY_BOUNDS, QueryAnswer, QueryBody } from "../../contract/query.ts";
import { getService } from "../../store/services.ts";
import { admits } from "../admission.ts";
import { answers, ON_A_BODY, ON_A_PROJECT, ON_WRITING } from "../answers.ts";
import { onlyReads } from "../auth.ts";
import { type Api, type ApiContext, callerOf } from "../context.ts";
import { noSuchService, serviceIdIn } from "../missing.ts";
import { ServiceParams } from "../parameters.ts";

/** The longest SQL that is accepted, whatever its characters, fits in. */
const BODY_BYTES = QUERY_BOUNDS.sql * 6 + 8 * 1024;

const EXAMPLE: QueryAnswer = {
  results: [
    {
      command: "SELECT",
      columns: [
        { name: "name", type: "text" },
        { name: "paid", type: "numeric(10,2)" },
      ],
      rows: [
        ["ada", "12.50"],
        ["grace", null],
      ],
      row_count: 2,
      truncated: false,
    },
  ],
  notices: [],
  duration_ms: 1.4,
};

export function queryService(api: Api, { store, runQuery }: ApiContext): void {
  const underWay = new Set<AbortController>();
  // A query may run for minutes; whoever stops the control plane does not wait for it.
  api.addHook("preClose", async () => {
    for (const query of underWay)
      query.abort(new ApiError("UNAVAILABLE", "the control plane ends, and the query was cancelled"));
  });

  api.post(
    "/projects/:project_id/services/:service_id/query",
    {
      config: { access: "depends" },
      bodyLimit: BODY_BYTES,
      schema: {
        operationId: "queryService",
        tags: ["Services"],
        summary: "Run SQL on a service",
        description:
          "On the primary, or, by the id of a read replica set, on one of its nodes. Each request is a connection of its " +
          "own; closing it cancels what runs. The address that asks has to be in the service's allow-list. An API key " +
          "with the role read_only needs read_only to be true. What PostgreSQL refuses is told as QUERY_FAILED with its " +
          "own message; details begins with the SQLSTATE and the character at which the mistake stands.",
        params: ServiceParams,
        body: QueryBody,
        response: answers(
          { status: 200, description: "What it gave.", schema: QueryAnswer, example: EXAMPLE },
          [
            ...ON_A_BODY,
            ...ON_A_PROJECT,
            ...ON_WRITING,
            "NOT_AVAILABLE",
            "ADDRESS_NOT_ALLOWED",
            "DATABASE_LOGIN_REFUSED",
            "CONFLICT",
            "QUERY_FAILED",
            "QUERY_TIMEOUT",
          ],
        ),
      },
    },
    async (request, reply): Promise<QueryAnswer> => {
      const { params, body } = request;
      const { role, publicKey } = callerOf(request);
      if (role === "read_only" && body.read_only === false) throw onlyReads();
      const service = await getService(store.db, params.project_id, serviceIdIn(params));
      if (!service || service.presence !== "present") throw noSuchService();
      if (!admits(service.allow_list, request.ip)) throw notAllowed(request.ip);
      if (service.power === "stopped")
        throw new ApiError("CONFLICT", "the service is stopped; start it first");

      const query = new AbortController();
      underWay.add(query);
      whenGone(reply, () =>
        query.abort(new ApiError("QUERY_FAILED", "whoever asked is gone; the query was cancelled")),
      );
      const { id: serviceId, region_code: regionCode, read_from: readsFrom } = service;
      const where = { regionCode, serviceId, readsFrom };
      const answer = await runQuery(where, publicKey, body, query.signal).finally(() =>
        underWay.delete(query),
      );
      if (answer) return answer;
      throw new ApiError(
        "NOT_AVAILABLE",
        `the region ${regionCode} runs no databases that SQL could be run on`,
      );
    },
  );
}

/** Calls where the connection ends before its answer has. */
function whenGone({ raw }: Pick<FastifyReply, "raw">, call: () => void): void {
  const check = () => {
    if (!raw.writableFinished) call();
  };
  // It may have ended while the service was looked up.
  if (raw.closed) check();
  else raw.once("close", check);
}

function notAllowed(address: string): ApiError {
  return new ApiError(
    "ADDRESS_NOT_ALLOWED",
    `the allow-list of the service does not have ${address}, from where this request came`,
    { details: "PUT …/allowList changes it." },
  );
}
