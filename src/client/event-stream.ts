/** Events as they happen, over as many connections as that takes. */
import { Value } from "typebox/value";
import { EventRecord } from "./answers.ts";
import { ClientError } from "./client-error.ts";
import { type HttpOptions, parseJson } from "./http.ts";
import { pause } from "./pause.ts";
import { createFrameReader, type Frame } from "./sse.ts";
import { readAsItComes } from "./streamed-answer.ts";

export interface StreamOptions {
  readonly signal?: AbortSignal;
  /** Goes on after the event with this id; "0": from the first that is kept. Left out: from now on. */
  readonly lastEventId?: string;
  /** Told whenever a connection stands: what happens from then on comes. */
  readonly onOpen?: () => void;
  /** Told when the connection is lost, and why, before it is made again. */
  readonly onLost?: (why: string) => void;
  /** Told when events come again. */
  readonly onBack?: () => void;
}

const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 15_000;

interface Place {
  id: string | null;
  retryMs: number;
  /** Connections in a row that brought nothing. */
  fruitless: number;
}

/**
 * Every event once, in order, without a gap: after a connection is lost, the next one goes on where it ended. Ends with
 * the signal, whose reason is not thrown. Throws ClientError where the API refuses.
 *
 * @param path with its query, below the base
 */
export async function* streamEvents(
  http: HttpOptions,
  path: string,
  options: StreamOptions = {},
): AsyncGenerator<EventRecord, void, undefined> {
  const place: Place = { id: options.lastEventId ?? null, retryMs: FIRST_RETRY_MS, fruitless: 0 };
  const signal = options.signal ?? new AbortController().signal;
  let lost = false;
  while (!signal.aborted) {
    let why = "the API ended the stream";
    try {
      for await (const frame of connectOnce(http, path, place, signal, options.onOpen)) {
        if (lost) options.onBack?.();
        lost = false;
        const event = readEvent(frame, http.baseUrl);
        // Counted as had once it was handed on, and not before.
        if (event) yield event;
        place.id = frame.id ?? place.id;
        place.retryMs = frame.retryMs ?? place.retryMs;
        place.fruitless = 0;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!isPassing(error)) throw error;
      why = error.message;
    }
    if (signal.aborted) return;
    if (!lost) options.onLost?.(why);
    lost = true;
    await pause(Math.min(place.retryMs * 2 ** place.fruitless, LONGEST_RETRY_MS), signal).catch(
      () => undefined,
    );
    place.fruitless += 1;
  }
}

/** One connection, from its beginning to its end. */
async function* connectOnce(
  http: HttpOptions,
  path: string,
  { id }: Place,
  signal: AbortSignal,
  onOpen?: () => void,
): AsyncGenerator<Frame, void, undefined> {
  const headers = { accept: "text/event-stream", ...(id === null ? {} : { "last-event-id": id }) };
  const read = createFrameReader();
  for await (const text of readAsItComes(http, { path, headers, signal, onOpen })) yield* read(text);
}

function readEvent({ data }: Frame, baseUrl: string): EventRecord | null {
  if (data === null) return null;
  const event = parseJson(data);
  if (Value.Check(EventRecord, event)) return event;
  throw new ClientError("UNEXPECTED_ANSWER", `${baseUrl} sent an event that this client does not understand`);
}

/** The API is away, busy or starting. */
function isPassing(error: unknown): error is ClientError {
  if (!(error instanceof ClientError)) return false;
  const { status, code } = error;
  return status === null ? code !== "UNEXPECTED_ANSWER" : status === 429 || status >= 500;
}
