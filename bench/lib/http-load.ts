/** Clients that send HTTP requests, each one after the other. */
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const REQUEST_TIMEOUT_MS = 10_000;

export interface HttpRequest {
  readonly method: "GET" | "POST";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Any other status counts as an error. */
  readonly expected: number;
}

export interface Load {
  readonly clients: number;
  readonly durationMs: number;
  /** From one request of a client to its next; 0: as soon as the one before is answered. */
  readonly everyMs: number;
  readonly signal: AbortSignal;
}

export interface LoadResult {
  /** Of every request that was answered as expected, from the moment it was due to the last byte of its answer. */
  readonly latenciesMs: readonly number[];
  readonly errors: number;
  readonly elapsedMs: number;
}

/** @param next the request to send, by a number that counts up over all clients */
export async function loadHttp(next: (count: number) => HttpRequest, load: Load): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: load.clients });
  const latenciesMs: number[] = [];
  let errors = 0;
  let count = 0;
  const startedAt = performance.now();
  const endsAt = startedAt + load.durationMs;
  const client = async (_: unknown, index: number) => {
    // Spread over the interval, so that the clients do not all ask at the same moment.
    let dueAt = startedAt + (load.everyMs * index) / load.clients;
    while (dueAt < endsAt && !load.signal.aborted) {
      const early = dueAt - performance.now();
      if (early > 0) await sleep(early, undefined, { signal: load.signal });
      const sentAt = performance.now();
      const asked = next(count);
      count += 1;
      const status = await send(agent, asked).catch(() => null);
      // A request that had to wait for a slow answer before it was late already; leaving that out would flatter. Timers
      // that are late by themselves are not the server's fault.
      const since = early > 0 ? sentAt : dueAt;
      if (status === asked.expected) latenciesMs.push(performance.now() - since);
      else errors += 1;
      dueAt = load.everyMs > 0 ? dueAt + load.everyMs : performance.now();
    }
  };
  try {
    await Promise.all(Array.from({ length: load.clients }, client));
  } finally {
    agent.destroy();
  }
  load.signal.throwIfAborted();
  return { latenciesMs, errors, elapsedMs: performance.now() - startedAt };
}

/** The status, once the whole body is here. */
function send(agent: Agent, { method, url, headers, body }: HttpRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      {
        agent,
        method,
        headers: body === null ? headers : { ...headers, "content-length": Buffer.byteLength(body) },
        timeout: REQUEST_TIMEOUT_MS,
      },
      (response) => {
        response.once("error", reject);
        response.once("end", () => resolve(response.statusCode ?? 0));
        response.resume();
      },
    );
    outgoing.once("timeout", () => outgoing.destroy(new Error("no answer in time")));
    outgoing.once("error", reject);
    outgoing.end(body ?? undefined);
  });
}
