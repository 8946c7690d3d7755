/** What a server sends for some SQL, kept within bounds: pg's own query would keep all of it. */
import type { Connection, Submittable } from "pg";
import { QUERY_BOUNDS } from "../contract/query.ts";

/** A single row is one message, which is kept whole until it ends: longer ones end the connection. */
const LONGEST_MESSAGE_BYTES = 2 * QUERY_BOUNDS.bytes;
const COPY_FAILED = "COPY FROM STDIN has nothing to read from here";

export interface Field {
  readonly name: string;
  readonly dataTypeID: number;
  readonly dataTypeModifier: number;
}

export interface Collected {
  command: string;
  fields: readonly Field[];
  readonly rows: (readonly (string | null)[])[];
  rowCount: number;
  truncated: boolean;
}

export interface CollectorOptions {
  readonly sql: string;
  /** Refused where it is several statements. */
  readonly single: boolean;
  /** Of each result. */
  readonly maxRows: number;
  /** Called once, when more came than is kept. */
  readonly onFull: () => void;
  /** Called where a message is longer than is ever kept, with the connection destroyed. */
  readonly onTooLong: () => void;
}

/** The messages of pg's parser that are looked at, with the parts that are used. */
interface Row {
  readonly length: number;
  readonly fields: readonly (string | null)[];
}

export class Collector implements Submittable {
  readonly results: Collected[] = [];
  /** How many results came beyond those that are kept. */
  dropped = 0;
  /** Resolves when the server is ready again. Throws what the server or the connection failed with. */
  readonly done: Promise<void>;
  readonly #options: CollectorOptions;
  readonly #settle: { readonly resolve: () => void; readonly reject: (error: unknown) => void };
  #open: Collected | null = null;
  #rowsLeft: number;
  #bytesLeft: number = QUERY_BOUNDS.bytes;
  #full = false;
  #bytesSinceMessage = 0;

  constructor(options: CollectorOptions) {
    this.#options = options;
    this.#rowsLeft = options.maxRows;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.done = promise;
    this.#settle = { resolve, reject };
  }

  /** @internal Called by pg, as everything that follows. */
  submit(connection: Connection): void {
    connection.stream.on("data", (chunk: Buffer) => this.#received(connection, chunk.length));
    if (!this.#options.single) return connection.query(this.#options.sql);
    connection.parse({ name: "", text: this.#options.sql, types: [] }, true);
    connection.bind({ portal: "", statement: "", values: [] }, true);
    connection.describe({ type: "P", name: "" }, true);
    connection.execute({ portal: "" }, true);
    connection.sync();
  }

  /** The parser was told of the same chunk before: what it made of it has been counted off already. */
  #received(connection: Connection, bytes: number): void {
    this.#bytesSinceMessage += bytes;
    if (this.#bytesSinceMessage <= LONGEST_MESSAGE_BYTES) return;
    this.#options.onTooLong();
    connection.stream.destroy();
  }

  #current(): Collected {
    this.#open ??= { command: "", fields: [], rows: [], rowCount: 0, truncated: false };
    return this.#open;
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.#bytesSinceMessage = 0;
    this.#current().fields = fields;
  }

  handleDataRow({ length, fields }: Row): void {
    this.#bytesSinceMessage = 0;
    const current = this.#current();
    current.rowCount += 1;
    if (this.results.length >= QUERY_BOUNDS.results) return;
    if (this.#rowsLeft > 0 && length <= this.#bytesLeft) {
      this.#rowsLeft -= 1;
      this.#bytesLeft -= length;
      current.rows.push(fields);
      return;
    }
    current.truncated = true;
    // Smaller rows that would still fit must not fill the place of one that did not.
    this.#rowsLeft = 0;
    if (this.#full) return;
    this.#full = true;
    this.#options.onFull();
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const current = this.#current();
    const [, command = text, count] = /^(.*?)(?:(?: \d+)? (\d+))?$/.exec(text) ?? [];
    current.command = command;
    if (count !== undefined) current.rowCount = Number(count);
    this.#close();
  }

  /** Also what was stopped in the middle is a result, if it has shown its rows. */
  #close(): void {
    this.#bytesSinceMessage = 0;
    this.#rowsLeft = this.#options.maxRows;
    if (!this.#open) return;
    if (this.results.length < QUERY_BOUNDS.results) this.results.push(this.#open);
    else this.dropped += 1;
    this.#open = null;
  }

  handleReadyForQuery(): void {
    this.#settle.resolve();
  }

  handleError(error: unknown): void {
    if (this.#open?.truncated) this.#open.command = "SELECT";
    if (this.#open?.truncated) this.#close();
    this.#settle.reject(error);
  }

  /** There is nobody to send the rows of a COPY FROM STDIN. */
  handleCopyInResponse(connection: Connection): void {
    const reason = Buffer.from(`${COPY_FAILED}\0`);
    const head = Buffer.from("f\0\0\0\0");
    head.writeInt32BE(reason.length + 4, 1);
    connection.stream.write(Buffer.concat([head, reason]));
  }

  /** Rows of a COPY TO STDOUT have no columns that could be shown. */
  handleCopyData(): void {
    this.#bytesSinceMessage = 0;
  }

  handleEmptyQuery(): void {
    this.#bytesSinceMessage = 0;
  }

  handlePortalSuspended(): void {
    this.#bytesSinceMessage = 0;
  }
}
