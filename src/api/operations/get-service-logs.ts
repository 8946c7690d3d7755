import { type Static, Type } from "typebox";
import { ApiError } from "../../contract/errors.ts";
import { SEVERITIES, ServiceLogs } from "../../contract/service-logs.ts";
import type { MemberLogs } from "../../lib/member-logs.ts";
import { getService } from "../../store/services.ts";
import { answers, ON_A_PROJECT } from "../answers.ts";
import type { Api, ApiContext } from "../context.ts";
import { readCursor, writeCursor } from "../logs/cursor.ts";
import { type MergedEntry, mergeLogs } from "../logs/merge-logs.ts";
import { noSuchService, serviceIdIn } from "../missing.ts";
import { momentOf } from "../moment.ts";
import { nodeName, ordinalOf } from "../node-name.ts";
import { ServiceParams } from "../parameters.ts";

const PAGE = 500;
const MOST_WORDS = 10;
/** Of no member; asking for it tells which there are. */
const NO_ORDINAL = -1;

/** Once, or several times. */
const repeatable = (text: object, description: string) =>
  Type.Optional(
    Type.Unsafe<string | string[]>({
      type: ["string", "array"],
      ...text,
      maxItems: MOST_WORDS,
      items: { type: "string", ...text },
      description,
    }),
  );

const Query = Type.Object(
  {
    node: Type.Optional(
      Type.String({ maxLength: 64, description: "A member's number or its name. Left out: all members." }),
    ),
    cursor: Type.Optional(
      Type.String({ maxLength: 8_192, description: "A last_cursor: only what is older is told." }),
    ),
    since: Type.Optional(Type.String({ format: "date-time", description: "The first moment." })),
    until: Type.Optional(Type.String({ format: "date-time", description: "The moment after the last." })),
    search: repeatable(
      { minLength: 1, maxLength: 256 },
      "A text that has to be in an entry, whatever its case; of several, all have to be.",
    ),
    severities: repeatable(
      { minLength: 1, maxLength: 16 },
      `One or several of ${SEVERITIES.join(", ")}. Left out: all.`,
    ),
  },
  { additionalProperties: false },
);

const EXAMPLE: ServiceLogs = {
  logs: ["2026-11-21T09:31:00.123Z member-0 ERROR: division by zero\nSTATEMENT:  select 1 / 0"],
  entries: [
    {
      timestamp: "2026-11-21T09:31:00.123Z",
      severity: "ERROR",
      message: "division by zero\nSTATEMENT:  select 1 / 0",
      node: "member-0",
    },
  ],
};

export function getServiceLogs(api: Api, { store, readLogs }: ApiContext): void {
  api.get(
    "/projects/:project_id/services/:service_id/logs",
    {
      config: { access: "read" },
      schema: {
        operationId: "getServiceLogs",
        tags: ["Services"],
        summary: "Read PostgreSQL's own log",
        description:
          `Of all members or one, newest first, at most ${PAGE} entries a page. Entries of members that do not run ` +
          "are there too. Statements that mention a password are not.",
        params: ServiceParams,
        querystring: Query,
        response: answers(
          { status: 200, description: "A page of the log.", schema: ServiceLogs, example: EXAMPLE },
          [...ON_A_PROJECT, "INVALID_REQUEST", "NOT_AVAILABLE"],
        ),
      },
    },
    async ({ params, query }): Promise<ServiceLogs> => {
      const asked = readQuery(query);
      const service = await getService(store.db, params.project_id, serviceIdIn(params));
      if (!service) throw noSuchService();
      const found = await readLogs(service.region_code, service.id, asked).catch((error: unknown) => {
        if (error instanceof ApiError) throw error;
        throw new ApiError(
          "UNAVAILABLE",
          "the log cannot be read now: its platform does not answer in time",
          {
            headers: { "retry-after": "5" },
            cause: error,
          },
        );
      });
      if (!found)
        throw new ApiError(
          "NOT_AVAILABLE",
          `the region ${service.region_code} runs no servers that write a log`,
        );
      requireNode(query.node, asked.ordinal, found);
      const known = query.cursor === undefined ? found.logs : inCursor(found, asked.before);
      const { entries, older } = mergeLogs(known, PAGE, asked.before);
      const cursor = older && writeCursor(older);
      return {
        logs: entries.map(asText),
        entries: entries.map((entry) => ({
          timestamp: new Date(entry.atMs).toISOString(),
          severity: entry.severity,
          message: entry.message,
          node: nodeName(entry.ordinal),
        })),
        ...(cursor === null ? {} : { last_cursor: cursor, lastCursor: cursor }),
      };
    },
  );
}

function readQuery({ node, cursor, since, until, search, severities }: Static<typeof Query>) {
  return {
    ordinal: node === undefined ? null : (ordinalOf(node) ?? NO_ORDINAL),
    before: cursor === undefined ? new Map() : readCursor(cursor),
    sinceMs: since === undefined ? null : momentOf("since", since),
    untilMs: until === undefined ? null : momentOf("until", until),
    search: [search ?? []].flat(),
    severities: [severities ?? []].flat().map(severityOf),
    // One more tells whether there is another page.
    limit: PAGE + 1,
  };
}

/** Throws INVALID_REQUEST. */
function severityOf(text: string): string {
  const found = SEVERITIES.find((one) => one === text.toUpperCase());
  if (found) return found;
  const message = `severities: ${JSON.stringify(text)} is none; they are ${SEVERITIES.join(", ")}`;
  throw new ApiError("INVALID_REQUEST", message);
}

/** Throws INVALID_REQUEST. */
function requireNode(node: string | undefined, ordinal: number | null, { ordinals }: MemberLogs): void {
  if (ordinal === null || ordinals.includes(ordinal)) return;
  const names = ordinals.map(nodeName);
  throw new ApiError(
    "INVALID_REQUEST",
    `node ${JSON.stringify(node)} is not one of this service; ` +
      (names.length === 0 ? "it has none yet" : `the nodes are ${names.join(", ")}`),
  );
}

/** A member that has come since would put newer entries among the older ones. */
function inCursor({ logs }: MemberLogs, before: ReadonlyMap<number, unknown>) {
  return logs.filter(({ ordinal }) => before.has(ordinal));
}

function asText({ atMs, ordinal, user, database, pid, severity, message }: MergedEntry): string {
  const who = `${pid === null ? "" : ` [${pid}]`}${user === null ? "" : ` ${user}@${database ?? ""}`}`;
  return `${new Date(atMs).toISOString()} ${nodeName(ordinal)}${who} ${severity}: ${message}`;
}
