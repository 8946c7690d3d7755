/** A client that writes small numbered rows at a steady pace, each in a transaction of its own, and counts what fails. */
import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "pg";

const EVERY_MS = 10;
const RECONNECT_MS = 20;
const MORE_WITHIN_MS = 60_000;

export interface CountingClient {
  /** Numbers whose commit was acknowledged. */
  readonly acknowledged: readonly number[];
  /** What transactions failed with, in the order in which they did. */
  readonly failures: readonly string[];
  /** What attempts to connect failed with. */
  readonly refusals: readonly string[];
  /** Waits until so many more have been acknowledged. Throws where that takes too long. */
  untilMore(count: number): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Writes into `written (client text, n int)`, which is there.
 *
 * @param connect makes a connection; asked again whenever one has ended
 */
export function startCounting(name: string, connect: () => Promise<Client>): CountingClient {
  const acknowledged: number[] = [];
  const failures: string[] = [];
  const refusals: string[] = [];
  const stopping = new AbortController();
  let n = 0;

  const writeUntilItFails = async (client: Client) => {
    while (!stopping.signal.aborted) {
      n += 1;
      await client.query("insert into written values ($1, $2)", [name, n]);
      acknowledged.push(n);
      await delay(EVERY_MS);
    }
  };
  const run = async () => {
    while (!stopping.signal.aborted) {
      const client = await connect().catch((error: unknown) => void refusals.push(String(error)));
      if (client) {
        await writeUntilItFails(client).catch((error: unknown) => void failures.push(String(error)));
        await client.end().catch(() => undefined);
      }
      await delay(RECONNECT_MS);
    }
  };
  const ended = run();
  return {
    acknowledged,
    failures,
    refusals,
    async untilMore(count) {
      const wanted = acknowledged.length + count;
      const deadline = Date.now() + MORE_WITHIN_MS;
      while (acknowledged.length < wanted) {
        if (Date.now() > deadline)
          throw new Error(`${name} writes no more: ${failures.at(-1) ?? refusals.at(-1)}`);
        await delay(EVERY_MS);
      }
    },
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
