/** One reader of a stream: what it has got, and how much of what it got it has not taken yet. */
import { Readable } from "node:stream";
import type { EventFilter, PlacedEvent } from "../../store/events.ts";
import { renderFrames } from "./frames.ts";

/** What may wait for a reader that does not read, in bytes, beside what the system keeps for its connection. */
const MOST_WAITING_BYTES = 1024 * 1024;

export class Reader {
  readonly filter: EventFilter;
  /** The public half of its API key. */
  readonly publicKey: string;
  readonly output: Readable;
  /** Everything of its own up to this place is in its output. */
  position: number;
  /** Whether it gets what happens now; before that it reads what it has missed. */
  live = false;
  #hungry: (() => void) | null = null;
  #ended = false;

  constructor(filter: EventFilter, publicKey: string, position: number) {
    this.filter = filter;
    this.publicKey = publicKey;
    this.position = position;
    this.output = new Readable({
      highWaterMark: 64 * 1024,
      read: () => this.#wake(),
      destroy: (error, done) => {
        this.#wake();
        done(error);
      },
    });
  }

  get closed(): boolean {
    return this.#ended || this.output.destroyed;
  }

  /** Events that it wants, in order; `shared` is all of them as frames, made once for all who want the same. */
  tell(events: readonly PlacedEvent[], upTo: number, shared?: Buffer): void {
    const fresh = events.filter(({ seq }) => seq > this.position);
    this.position = Math.max(this.position, upTo);
    if (fresh.length === 0) return;
    this.write(shared && fresh.length === events.length ? shared : renderFrames(fresh));
  }

  /** One that lets too much pile up is disconnected: it can come back and go on where it stopped. */
  write(chunk: Buffer | string): void {
    if (this.closed) return;
    if (this.output.readableLength > MOST_WAITING_BYTES) this.output.destroy();
    else this.output.push(chunk);
  }

  /** Ends the stream after what is in it. */
  end(): void {
    if (this.closed) return;
    this.#ended = true;
    this.output.push(null);
  }

  /** Resolves when it has taken most of what was written, when it is closed, or after a time. */
  async hungry(limitMs: number): Promise<boolean> {
    if (this.closed || this.output.readableLength < this.output.readableHighWaterMark) return true;
    return new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), limitMs);
      this.#hungry = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }

  #wake(): void {
    this.#hungry?.();
    this.#hungry = null;
  }
}
