/** An event as everybody outside sees it: in lists, in streams, and in what webhooks send. Pure. */
import type { ServiceEvent } from "../contract/service-events.ts";
import type { PlacedEvent } from "../store/events.ts";
import type { EventRow } from "../store/schema.ts";

export function presentEvent({ id, at, type, service_id, actor, message, data }: EventRow): ServiceEvent {
  return {
    id: String(id),
    at: at.toISOString(),
    type,
    ...(service_id === null ? {} : { service_id }),
    actor,
    message,
    data,
  };
}

/** The body of a webhook's request, as the Standard Webhooks specification has it. */
export function renderWebhookBody(event: PlacedEvent): string {
  return JSON.stringify({ type: event.type, timestamp: event.at.toISOString(), data: presentEvent(event) });
}
