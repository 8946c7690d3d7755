import { Type } from "typebox";
import { ServiceEvents } from "../../contract/service-events.ts";
import { listEvents } from "../../store/events.ts";
import { getService } from "../../store/services.ts";
import { answers, ON_A_PROJECT } from "../answers.ts";
import type { Api, ApiContext } from "../context.ts";
import { noSuchService, serviceIdIn } from "../missing.ts";
import { ServiceParams } from "../parameters.ts";

const DEFAULT_LIMIT = 100;

/** Queries are text; the patterns are exactly the numbers that are accepted. */
const Query = Type.Object(
  {
    limit: Type.Optional(
      Type.String({
        pattern: "^([1-9]|[1-9][0-9]|[1-4][0-9]{2}|500)$",
        description: "how many events at most, from 1 to 500; 100 where it is left out",
      }),
    ),
    before: Type.Optional(
      Type.String({
        pattern: "^[0-9]{1,15}$",
        description: "the id of an event; only older ones are listed",
      }),
    ),
  },
  { additionalProperties: false },
);

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
      actor: "howdah",
      message: "Creating member 1 as a copy of the primary.",
    },
  ],
};

export function getServiceEvents(api: Api, { store }: ApiContext): void {
  api.get(
    "/projects/:project_id/services/:service_id/events",
    {
      config: { access: "read" },
      schema: {
        operationId: "getServiceEvents",
        tags: ["Services"],
        summary: "Tell why a service is in its status, and what happened to it",
        params: ServiceParams,
        querystring: Query,
        response: answers(
          {
            status: 200,
            description: "Status, conditions and events.",
            schema: ServiceEvents,
            example: EXAMPLE,
          },
          [...ON_A_PROJECT, "INVALID_REQUEST"],
        ),
      },
    },
    async ({ params, query }): Promise<ServiceEvents> => {
      const service = await getService(store.db, params.project_id, serviceIdIn(params));
      if (!service) throw noSuchService();
      const events = await listEvents(store.db, service.id, {
        limit: query.limit === undefined ? DEFAULT_LIMIT : Number(query.limit),
        before: query.before === undefined ? undefined : Number(query.before),
      });
      return {
        status: service.status,
        status_reason: service.status_reason,
        conditions: service.conditions,
        events: events.map(({ id, at, type, actor, message }) => ({
          id: String(id),
          at: at.toISOString(),
          type,
          actor,
          message,
        })),
      };
    },
  );
}
