/** A reader of a stream over a real connection. */
import { setTimeout as delay } from "node:timers/promises";
import { createFrameReader } from "../../src/client/sse.ts";
import type { ServiceEvent } from "../../src/contract/service-events.ts";

export interface TestReader {
  readonly status: number;
  readonly headers: Headers;
  readonly events: readonly ServiceEvent[];
  /** As EventSource would send it when it comes back. */
  lastEventId(): string | null;
  /** Waits for so many events. Throws where that takes too long. */
  until(count: number): Promise<readonly ServiceEvent[]>;
  /** Resolves when the stream has ended. */
  readonly ended: Promise<void>;
  close(): void;
}

const PATIENCE_MS = 30_000;

export async function readStream(
  url: string,
  apiKey: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestReader> {
  const controller = new AbortController();
  const response = await fetch(url, {
    headers: { accept: "text/event-stream", authorization: `Bearer ${apiKey}`, ...headers },
    signal: controller.signal,
  });
  const events: ServiceEvent[] = [];
  let lastEventId: string | null = null;
  const read = createFrameReader();
  const decoder = new TextDecoder();
  const ended = (async () => {
    try {
      for await (const chunk of response.body ?? []) {
        for (const { id, data } of read(decoder.decode(chunk, { stream: true }))) {
          lastEventId = id;
          if (data !== null) events.push(JSON.parse(data));
        }
      }
    } catch {
      // Closed by us, or broken off by the other side: both are an end.
    }
  })();
  return {
    status: response.status,
    headers: response.headers,
    events,
    lastEventId: () => lastEventId,
    async until(count) {
      const deadline = performance.now() + PATIENCE_MS;
      while (events.length < count) {
        if (performance.now() > deadline)
          throw new Error(`${events.length} of ${count} events came: ${JSON.stringify(events.at(-1))}`);
        await delay(10);
      }
      return events;
    },
    ended,
    close: () => controller.abort(),
  };
}
