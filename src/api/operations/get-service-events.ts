import { ServiceEvents } from "../../contract/service-events.ts";
import { presentEvent } from "../../feed/present-event.ts";
import { findEvents } from "../../store/events.ts";
import { getService } from "../../store/services.ts";
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
import { noSuchService, serviceIdIn } from "../missing.ts";
import { ServiceParams } from "../parameters.ts";

const EXAMPLE: ServiceEvents = {
  status: "UPGRADING",
  status_reason: "Waiting for replicas to stream: member 1 does not stream from the primary yet.",
  conditions: [
    {
      type: "Available",
      status: "True",
      reason: "PrimaryWritable",
      message: "Member 0 takes writes.",
      since: "2026-11-21T09:30:04.000Z",
    },
  ],
  events: [
    {
      id: "42",
      at: "2026-11-21T09:31:00.000Z",
      type: "service.step",
      service_id: "k3v9x0q2ab",
      actor: "howdah",
      message: "Creating member 1 as a copy of the primary.",
      data: { reason: "Working" },
    },
  ],
};

export function getServiceEvents(api: Api, { store, streams }: ApiContext): void {
  api.get(
    "/projects/:project_id/services/:service_id/events",
    {
      config: { access: "read" },
      schema: {
        operationId: "getServiceEvents",
        tags: ["Services"],
        summary: "Tell why a service is in its status, and what happened to it",
        description: STREAM_DESCRIPTION,
        params: ServiceParams,
        querystring: EventsQuery,
        headers: STREAM_HEADERS,
        response: answers(
          {
            status: 200,
            description: "Status, conditions and events.",
            schema: ServiceEvents,
            example: EXAMPLE,
            otherwise: STREAM_EXAMPLE,
          },
          [...ON_A_PROJECT, "INVALID_REQUEST"],
        ),
      },
    },
    async (request, reply) => {
      const { params, query } = request;
      const service = await getService(store.db, params.project_id, serviceIdIn(params));
      if (!service) throw noSuchService();
      const filter = { projectId: params.project_id, serviceId: service.id, types: typesOf(query) };
      if (wantsStream(request)) return answerStream(streams, request, reply, filter, query.last_event_id);
      const events = await findEvents(store.db, filter, pageOf(query));
      const story: ServiceEvents = {
        status: service.status,
        status_reason: service.status_reason,
        conditions: service.conditions,
        events: events.map(presentEvent),
      };
      return story;
    },
  );
}
