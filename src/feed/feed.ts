/** Passes every event on, once and in the order of places, to whoever is in this process. */
import type { Log } from "../lib/log.ts";
import { createPacer } from "../lib/pacer.ts";
import type { Db } from "../store/db.ts";
import { eventsAfter, lastPlace, placeEvents, type RenderEvent } from "../store/event-feed.ts";
import type { PlacedEvent } from "../store/events.ts";
import { isUnavailable } from "../store/unavailable.ts";

/** Events of every project, without a gap: all those with a place above `after`, up to `upTo`. */
export interface Batch {
  readonly after: number;
  readonly upTo: number;
  readonly events: readonly PlacedEvent[];
}

export interface Feed {
  /** Everything up to this place has been passed on. */
  readonly position: number;
  /** Calls back with every batch from now on, until the function that it returns is called. */
  subscribe(onBatch: (batch: Batch) => void): () => void;
  /** Looks now, and resolves once what was committed before has been passed on. Throws what the store throws. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

export interface FeedOptions {
  readonly db: Db;
  /** What webhooks get of an event. */
  readonly render: RenderEvent;
  /** Calls back when there may be events, until the signal aborts. Left out: the clock alone tells. */
  readonly listen?: (onEvents: () => void, signal: AbortSignal) => Promise<void>;
  readonly log?: Pick<Log, "warn" | "error">;
}

/** However quiet it is: the longest time until the store is asked again. */
const LOOK_EVERY_MS = 1_000;
/** However busy: the shortest time from one look to the next, so that many events share one transaction. */
const LOOK_AGAIN_MS = 40;
const AT_A_TIME = 500;

/** Opens nothing yet: the first look connects. */
export function startFeed(options: FeedOptions): Feed {
  const feed = new RunningFeed(options);
  feed.run();
  return feed;
}

class RunningFeed implements Feed {
  readonly #options: FeedOptions;
  readonly #subscribers = new Set<(batch: Batch) => void>();
  readonly #stopping = new AbortController();
  #position: number | null = null;
  #looking: Promise<void> | null = null;
  /** Asked for while a look was under way, which may have come too early. */
  #nextLook: Promise<void> | null = null;
  readonly #pacer = createPacer(() => {
    this.flush().then(
      () => this.#over(),
      (error: unknown) => this.#failed(error),
    );
  });
  #listening: Promise<void> = Promise.resolve();
  #away = false;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  get position(): number {
    return this.#position ?? 0;
  }

  run(): void {
    this.#pacer.plan(0);
    const { listen } = this.#options;
    if (listen) this.#listening = listen(() => this.#pacer.plan(LOOK_AGAIN_MS), this.#stopping.signal);
  }

  subscribe(onBatch: (batch: Batch) => void): () => void {
    this.#subscribers.add(onBatch);
    return () => this.#subscribers.delete(onBatch);
  }

  async flush(): Promise<void> {
    if (!this.#looking) return this.#look();
    this.#nextLook ??= this.#looking
      .catch(() => undefined)
      .then(() => {
        this.#nextLook = null;
        return this.#look();
      });
    return this.#nextLook;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#pacer.stop();
    this.#subscribers.clear();
    await Promise.allSettled([this.#looking, this.#nextLook, this.#listening]);
  }

  #look(): Promise<void> {
    const looking = this.#passOn().finally(() => {
      this.#looking = null;
      this.#pacer.done();
      this.#pacer.plan(LOOK_EVERY_MS);
    });
    this.#looking = looking;
    return looking;
  }

  /** Whatever another process has given places is read here too; it is the same to readers. */
  async #passOn(): Promise<void> {
    const { db, render } = this.#options;
    this.#position ??= await lastPlace(db);
    let more = true;
    while (more && !this.#stopping.signal.aborted) {
      const placed = await placeEvents(db, render);
      const after: number = this.#position;
      const events = await eventsAfter(db, after, AT_A_TIME);
      const upTo: number = events.at(-1)?.seq ?? after;
      this.#position = upTo;
      if (events.length > 0) for (const tell of this.#subscribers) tell({ after, upTo, events });
      more = placed === AT_A_TIME || events.length === AT_A_TIME;
    }
  }

  #over(): void {
    this.#away = false;
  }

  #failed(error: unknown): void {
    if (this.#away || this.#stopping.signal.aborted) return;
    this.#away = true;
    if (isUnavailable(error)) this.#options.log?.warn({ err: error }, "events wait for the state database");
    else this.#options.log?.error({ err: error }, "events are not passed on; it is a defect of Howdah");
  }
}
