/**
 * Streams of events. The feed reads each event once; here it goes to every reader that wants it, as one piece of text
 * made once for all who want the same. A reader that comes back first reads what it has missed from the store.
 */
import type { Readable } from "node:stream";
import { ApiError } from "../../contract/errors.ts";
import { isWanted } from "../../contract/event-types.ts";
import type { Batch, Feed } from "../../feed/feed.ts";
import type { Db } from "../../store/db.ts";
import { newestPlaced, placeOf } from "../../store/event-feed.ts";
import { type EventFilter, type PlacedEvent, readEvents } from "../../store/events.ts";
import { usableKeys } from "../../store/keys.ts";
import { HEARTBEAT, renderFrames, renderOpening } from "./frames.ts";
import { Reader } from "./reader.ts";

export interface StreamRequest {
  readonly filter: EventFilter;
  /** The public half of the API key. */
  readonly publicKey: string;
  /** Goes on after the event with this id; "0": from the first that is kept; null: from now on. */
  readonly lastEventId: string | null;
}

export interface EventHub {
  /** Throws ApiError where the event is none, or where there are too many streams. */
  open(request: StreamRequest): Promise<Readable>;
  /** Ends every stream. */
  close(): void;
}

const LIMITS: HubLimits = {
  mostReaders: 2_000,
  mostReadersOfAProject: 250,
  keysCheckedEveryMs: 30_000,
  heartbeatEveryMs: 15_000,
};
const RETRY_MS = 2_000;
const CATCH_UP_AT_A_TIME = 500;
/** How long a reader may take for one page of what it has missed. */
const CATCH_UP_PATIENCE_MS = 30_000;

/** How many streams there may be, and how often keys are looked at and readers told that the connection lives. */
export interface HubLimits {
  readonly mostReaders: number;
  readonly mostReadersOfAProject: number;
  readonly keysCheckedEveryMs: number;
  readonly heartbeatEveryMs: number;
}

export function createEventHub(db: Db, feed: Feed, limits: Partial<HubLimits> = {}): EventHub {
  return new Hub(db, feed, { ...LIMITS, ...limits });
}

class Hub implements EventHub {
  readonly #db: Db;
  readonly #feed: Feed;
  readonly #byProject = new Map<string, Set<Reader>>();
  readonly #timers: readonly NodeJS.Timeout[];
  readonly #limits: HubLimits;
  #count = 0;
  #closed = false;

  constructor(db: Db, feed: Feed, limits: HubLimits) {
    this.#limits = limits;
    this.#db = db;
    this.#feed = feed;
    feed.subscribe((batch) => this.#passOn(batch));
    this.#timers = [
      setInterval(() => this.#beat(), limits.heartbeatEveryMs).unref(),
      setInterval(() => void this.#checkKeys(), limits.keysCheckedEveryMs).unref(),
    ];
  }

  async open({ filter, publicKey, lastEventId }: StreamRequest): Promise<Readable> {
    this.#requireRoom(filter.projectId);
    // From here on the feed knows where it is, and what was committed before has its place.
    await this.#feed.flush();
    const start = await this.#start(filter.projectId, lastEventId);
    // Others may have come meanwhile.
    this.#requireRoom(filter.projectId);
    const reader = new Reader(filter, publicKey, start.seq);
    this.#add(reader);
    reader.write(renderOpening(RETRY_MS, start.id));
    if (this.#closed) reader.end();
    else void this.#catchUp(reader).catch(() => reader.output.destroy());
    return reader.output;
  }

  close(): void {
    this.#closed = true;
    for (const timer of this.#timers) clearInterval(timer);
    for (const reader of this.#readers()) reader.end();
  }

  #requireRoom(projectId: string): void {
    const ofProject = this.#byProject.get(projectId)?.size ?? 0;
    const { mostReaders, mostReadersOfAProject } = this.#limits;
    if (ofProject < mostReadersOfAProject && this.#count < mostReaders) return;
    const [most, whose] =
      ofProject < mostReadersOfAProject
        ? [mostReaders, "this installation"]
        : [mostReadersOfAProject, "this project"];
    throw new ApiError("TOO_MANY_REQUESTS", `${most} event streams of ${whose} are open already`, {
      details: "Close one, or share one between what needs it.",
      headers: { "retry-after": "10" },
    });
  }

  async #start(projectId: string, lastEventId: string | null): Promise<{ id: string; seq: number }> {
    if (lastEventId === null) {
      const newest = await newestPlaced(this.#db, projectId);
      // The first thing that a reader gets, so that it can come back before anything has happened.
      return newest ? { id: String(newest.id), seq: newest.seq } : { id: "0", seq: 0 };
    }
    const eventId = Number(lastEventId);
    if (eventId === 0) return { id: "0", seq: 0 };
    const seq = await placeOf(this.#db, projectId, eventId);
    if (seq !== null) return { id: lastEventId, seq };
    throw new ApiError("INVALID_REQUEST", `the last event id ${lastEventId} is no event of this project`, {
      details: "Send the id of an event that was listed or streamed, or 0 for all that are kept.",
    });
  }

  #add(reader: Reader): void {
    const { projectId } = reader.filter;
    const readers = this.#byProject.get(projectId) ?? new Set();
    this.#byProject.set(projectId, readers.add(reader));
    this.#count += 1;
    reader.output.once("close", () => {
      readers.delete(reader);
      this.#count -= 1;
      if (readers.size === 0) this.#byProject.delete(projectId);
    });
  }

  /** Page by page up to where the feed is; nothing lies between the last page and the first batch. */
  async #catchUp(reader: Reader): Promise<void> {
    while (!reader.closed) {
      const passedOn = this.#feed.position;
      const events = await readEvents(this.#db, reader.filter, {
        after: reader.position,
        limit: CATCH_UP_AT_A_TIME,
      });
      const whole = events.length < CATCH_UP_AT_A_TIME;
      // Whatever was passed on before the page was read is in it, where the page is not full.
      reader.tell(events, Math.max(events.at(-1)?.seq ?? 0, whole ? passedOn : 0));
      if (whole && this.#feed.position <= reader.position) {
        reader.live = true;
        return;
      }
      if (!(await reader.hungry(CATCH_UP_PATIENCE_MS))) reader.output.destroy();
    }
  }

  #passOn({ events, upTo }: Batch): void {
    for (const [projectId, readers] of this.#byProject) {
      const ofProject = events.filter(({ project_id }) => project_id === projectId);
      const shared = new Map<string, { events: readonly PlacedEvent[]; frames: Buffer }>();
      for (const reader of readers) {
        if (!reader.live) continue;
        const key = JSON.stringify([reader.filter.serviceId, reader.filter.types]);
        let part = shared.get(key);
        if (!part) {
          const wanted = ofProject.filter((event) => matches(event, reader.filter));
          part = { events: wanted, frames: renderFrames(wanted) };
          shared.set(key, part);
        }
        reader.tell(part.events, upTo, part.frames);
      }
    }
  }

  #beat(): void {
    for (const reader of this.#readers()) reader.write(HEARTBEAT);
  }

  /** A key that was revoked or has expired reads nothing more. */
  async #checkKeys(): Promise<void> {
    const readers = this.#readers();
    if (readers.length === 0) return;
    // While the store does not answer there is nothing to tell either; the next look comes.
    const usable = await usableKeys(this.#db, [...new Set(readers.map(({ publicKey }) => publicKey))]).catch(
      () => null,
    );
    if (!usable) return;
    for (const reader of readers) if (!usable.has(reader.publicKey)) reader.end();
  }

  #readers(): readonly Reader[] {
    return [...this.#byProject.values()].flatMap((readers) => [...readers]);
  }
}

function matches(event: PlacedEvent, { serviceId, types }: EventFilter): boolean {
  return (
    (serviceId === null || event.service_id === serviceId) && (types === null || isWanted(event.type, types))
  );
}
