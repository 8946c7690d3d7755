/** Server-sent events as text; https://html.spec.whatwg.org/multipage/server-sent-events.html. Pure. */
import { presentEvent } from "../../feed/present-event.ts";
import type { PlacedEvent } from "../../store/events.ts";

/** A line that readers leave alone, and that tells them and everybody between that the connection lives. */
export const HEARTBEAT = Buffer.from(": \n\n");

/** How long a reader shall wait before it connects again, and the event after which it goes on then. */
export function renderOpening(retryMs: number, lastEventId: string): string {
  return `retry: ${retryMs}\nid: ${lastEventId}\n\n`;
}

export function renderFrames(events: readonly PlacedEvent[]): Buffer {
  return Buffer.from(events.map(renderFrame).join(""));
}

/** JSON has no line breaks of its own, and types have none, so each field is one line. */
function renderFrame(event: PlacedEvent): string {
  return `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(presentEvent(event))}\n\n`;
}
