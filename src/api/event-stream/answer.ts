/** What lists of events and streams of them have in common: one path, two forms. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { ApiError } from "../../contract/errors.ts";
import { EVENT_TYPES_PATTERN } from "../../contract/event-types.ts";
import type { EventFilter } from "../../store/events.ts";
import { callerOf } from "../context.ts";
import type { EventHub } from "./hub.ts";

const DEFAULT_LIMIT = 100;
const STREAM_TYPE = "text/event-stream";
const EVENT_ID = "^[0-9]{1,15}$";

/** Queries are text; the patterns are exactly the numbers that are accepted. */
export const PageQuery = Type.Object(
  {
    limit: Type.Optional(
      Type.String({
        pattern: "^([1-9]|[1-9][0-9]|[1-4][0-9]{2}|500)$",
        description: "how many at most, from 1 to 500; 100 where it is left out",
      }),
    ),
    before: Type.Optional(
      Type.String({ pattern: EVENT_ID, description: "an id; only older ones are listed" }),
    ),
  },
  { additionalProperties: false },
);

export const EventsQuery = Type.Object(
  {
    ...PageQuery.properties,
    type: Type.Optional(
      Type.String({
        maxLength: 512,
        pattern: EVENT_TYPES_PATTERN,
        description: "types of events, parted by commas; service.resize means all that begin with it too",
      }),
    ),
    last_event_id: Type.Optional(
      Type.String({
        pattern: EVENT_ID,
        description: "the id of an event; a stream goes on after it, as by the header Last-Event-ID",
      }),
    ),
  },
  { additionalProperties: false },
);

export const STREAM_HEADERS = Type.Object({
  "last-event-id": Type.Optional(
    Type.String({ description: "Of a stream: the id of the last event that was got; it goes on after it." }),
  ),
});

/** How the stream is told in the document. */
export const STREAM_DESCRIPTION =
  "With `Accept: text/event-stream`, the events as they happen: `id` is the event's id, `event` its type, `data` the " +
  "record. A comment comes every 15 s. A stream begins now, or goes on after `Last-Event-ID` (or `last_event_id`), " +
  "without a gap and without repetition; after 0 come all that are kept. A reader that does not read is disconnected, and " +
  "can go on where it stopped.";

export const STREAM_EXAMPLE = {
  [STREAM_TYPE]:
    'id: 42\nevent: service.step\ndata: {"id":"42","at":"2026-11-21T09:31:00.000Z","type":"service.step",' +
    '"service_id":"k3v9x0q2ab","actor":"howdah","message":"Creating member 1 as a copy of the primary.","data":{}}\n\n',
};

export function pageOf(query: { readonly limit?: string; readonly before?: string }) {
  return {
    limit: query.limit === undefined ? DEFAULT_LIMIT : Number(query.limit),
    before: query.before === undefined ? undefined : Number(query.before),
  };
}

export function typesOf({ type }: { readonly type?: string }): readonly string[] | null {
  return type === undefined ? null : type.split(",");
}

/** A HEAD has no body that could go on. */
export function wantsStream({ method, headers }: FastifyRequest): boolean {
  const accepted = (headers.accept ?? "")
    .split(",")
    .map((one) => (one.split(";")[0] ?? "").trim().toLowerCase());
  return method === "GET" && accepted.includes(STREAM_TYPE);
}

/** Answers with a stream. Throws ApiError where it cannot begin. */
export async function answerStream(
  streams: EventHub,
  request: FastifyRequest,
  reply: FastifyReply,
  filter: EventFilter,
  lastEventId: string | undefined,
): Promise<FastifyReply> {
  const stream = await streams.open({
    filter,
    publicKey: callerOf(request).publicKey,
    lastEventId: startOf(request, lastEventId),
  });
  return reply.type(`${STREAM_TYPE}; charset=utf-8`).headers(HEADERS).send(stream);
}

const HEADERS = {
  "x-accel-buffering": "no",
  // It ends with its stream: kept for other requests, it would hold up the end of the server.
  connection: "close",
};

/** The header wins: a browser that comes back sends it beside the query of its first time. */
function startOf({ headers }: FastifyRequest, lastEventId: string | undefined): string | null {
  const header = headers["last-event-id"];
  const given = typeof header === "string" && header !== "" ? header : lastEventId;
  if (given === undefined) return null;
  if (new RegExp(EVENT_ID).test(given)) return given;
  throw new ApiError("INVALID_REQUEST", "Last-Event-ID must be the id of an event, in digits");
}
