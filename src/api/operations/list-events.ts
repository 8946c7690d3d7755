import { Type } from "typebox";
import { ProjectEvents } from "../../contract/service-events.ts";
import { presentEvent } from "../../feed/present-event.ts";
import { findEvents } from "../../store/events.ts";
import { answers, ON_A_PROJECT } from "../answers.ts";
import type { Api, ApiContext } from "../context.ts";
import {
  answerStream,
  EventsQuery,
  pageOf,
  STREAM_DESCRIPTION,
  STREAM_EXAMPLE,
  STREAM_HEADERS,
  typesOf,
  wantsStream,
} from "../event-stream/answer.ts";
import { ProjectParams } from "../parameters.ts";

const Query = Type.Object(
  {
    ...EventsQuery.properties,
    service_id: Type.Optional(
      Type.String({
        pattern: "^[a-z0-9]{10}$",
        description: "the id of a service, also of one that is gone",
      }),
    ),
  },
  { additionalProperties: false },
);

const EXAMPLE: ProjectEvents = {
  events: [
    {
      id: "43",
      at: "2026-11-21T09:32:00.000Z",
      type: "service.role",
      service_id: "k3v9x0q2ab",
      actor: "howdah",
      message: "The primary has changed from member 0 to member 1: member 0 has stopped.",
      data: { from: 0, to: 1, reason: "failover" },
    },
  ],
};

export function listEvents(api: Api, { store, streams }: ApiContext): void {
  api.get(
    "/projects/:project_id/events",
    {
      config: { access: "read" },
      schema: {
        operationId: "listEvents",
        tags: ["Events"],
        summary: "List what happened in a project, or follow it",
        description: STREAM_DESCRIPTION,
        params: ProjectParams,
        querystring: Query,
        headers: STREAM_HEADERS,
        response: answers(
          {
            status: 200,
            description: "Events, newest first; or the stream.",
            schema: ProjectEvents,
            example: EXAMPLE,
            otherwise: STREAM_EXAMPLE,
          },
          [...ON_A_PROJECT, "INVALID_REQUEST"],
        ),
      },
    },
    async (request, reply) => {
      const { params, query } = request;
      const filter = {
        projectId: params.project_id,
        serviceId: query.service_id ?? null,
        types: typesOf(query),
      };
      if (wantsStream(request)) return answerStream(streams, request, reply, filter, query.last_event_id);
      const events = await findEvents(store.db, filter, pageOf(query));
      const list: ProjectEvents = { events: events.map(presentEvent) };
      return list;
    },
  );
}
