import { Readable } from "node:stream";
import { Type } from "typebox";
import type { AuditRecord } from "../../contract/audit.ts";
import { AuditRecords } from "../../contract/audit.ts";
import { ApiError } from "../../contract/errors.ts";
import { type AuditQuery, listAuditRecords as list } from "../../store/audit.ts";
import type { Db } from "../../store/db.ts";
import type { AuditRow } from "../../store/schema.ts";
import { answers, ON_A_PROJECT, ON_WRITING } from "../answers.ts";
import type { Api, ApiContext } from "../context.ts";
import { ProjectParams } from "../parameters.ts";

const DEFAULT_LIMIT = 100;
const EXPORTED_AT_A_TIME = 500;
const LINES_TYPE = "application/x-ndjson";

const Query = Type.Object(
  {
    limit: Type.Optional(
      Type.String({
        pattern: "^([1-9]|[1-9][0-9]|[1-4][0-9]{2}|500)$",
        description:
          "how many records at most, from 1 to 500; 100 where it is left out; JSON lines are all there are",
      }),
    ),
    cursor: Type.Optional(
      Type.String({ pattern: "^[0-9]{1,15}$", description: "next_cursor of the page before" }),
    ),
    since: Type.Optional(Type.String({ maxLength: 64, description: "a time such as 2026-11-21T09:30:00Z" })),
    until: Type.Optional(Type.String({ maxLength: 64, description: "a time; records before it" })),
    format: Type.Optional(
      Type.Union([Type.Literal("json"), Type.Literal("jsonl")], { description: "json or jsonl" }),
    ),
  },
  { additionalProperties: false },
);

const EXAMPLE: AuditRecord = {
  id: "12",
  at: "2026-11-21T09:31:00.000Z",
  actor: "key:Vb3kQ9x0Zr7LmNp2",
  key_name: "deploy",
  operation: "resizeService",
  method: "POST",
  path: "/api/v1/projects/p7d2m4n8zz/services/k3v9x0q2ab/resize",
  service_id: "k3v9x0q2ab",
  remote_address: "192.0.2.7",
  request_id: "5c1f0a52-3c57-4f7e-9a55-0a6a3f4c1f5e",
  status: 202,
};

export function listAuditRecords(api: Api, { store }: ApiContext): void {
  api.get(
    "/projects/:project_id/audit",
    {
      config: { access: "admin" },
      schema: {
        operationId: "listAuditRecords",
        tags: ["Events"],
        summary: "Tell who did what from where",
        description:
          "Every request that would change something, accepted or refused, without its body. For keys with the role admin or operator. " +
          "With `Accept: application/x-ndjson` or `format=jsonl`, all of them as JSON lines, oldest first.",
        params: ProjectParams,
        querystring: Query,
        response: answers(
          {
            status: 200,
            description: "Records, newest first; or JSON lines.",
            schema: AuditRecords,
            example: { records: [EXAMPLE], next_cursor: "12" },
            otherwise: { [LINES_TYPE]: `${JSON.stringify(EXAMPLE)}\n` },
          },
          [...ON_A_PROJECT, ...ON_WRITING, "INVALID_REQUEST"],
        ),
      },
    },
    async ({ params, query, headers, method }, reply) => {
      const wanted = {
        projectId: params.project_id,
        since: timeIn(query.since, "since"),
        until: timeIn(query.until, "until"),
        after: query.cursor === undefined ? undefined : Number(query.cursor),
      };
      const lines =
        query.format === "jsonl" ||
        (query.format === undefined && (headers.accept ?? "").includes(LINES_TYPE));
      if (lines && method === "GET")
        return reply.type(`${LINES_TYPE}; charset=utf-8`).send(Readable.from(exportLines(store.db, wanted)));
      const limit = query.limit === undefined ? DEFAULT_LIMIT : Number(query.limit);
      const rows = await list(store.db, { ...wanted, limit: limit + 1, order: "newest first" });
      const page = rows.slice(0, limit);
      const last = rows.length > limit ? page.at(-1) : undefined;
      const records: AuditRecords = {
        records: page.map(present),
        ...(last ? { next_cursor: String(last.id) } : {}),
      };
      return records;
    },
  );
}

/** Page by page, as fast as they are read. */
async function* exportLines(
  db: Db,
  query: Omit<AuditQuery, "limit" | "order">,
): AsyncGenerator<string, void, undefined> {
  let { after } = query;
  for (;;) {
    const rows = await list(db, { ...query, after, limit: EXPORTED_AT_A_TIME, order: "oldest first" });
    if (rows.length > 0) yield rows.map((row) => `${JSON.stringify(present(row))}\n`).join("");
    if (rows.length < EXPORTED_AT_A_TIME) return;
    after = rows.at(-1)?.id;
  }
}

function present(row: AuditRow): AuditRecord {
  const { id, at, operation, method, path, service_id, remote_address, request_id, status, error_code } = row;
  return {
    id: String(id),
    at: at.toISOString(),
    actor: `key:${row.public_key}`,
    key_name: row.key_name,
    operation,
    method,
    path,
    ...(service_id === null ? {} : { service_id }),
    remote_address,
    request_id,
    ...(status === null ? {} : { status }),
    ...(error_code === null ? {} : { error_code }),
  };
}

const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

/** Throws INVALID_REQUEST. */
function timeIn(text: string | undefined, field: string): Date | undefined {
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (TIME.test(text) && !Number.isNaN(time.getTime())) return time;
  throw new ApiError("INVALID_REQUEST", `${field} must be a time such as 2026-11-21T09:30:00Z, or a date`);
}
