/** Clients that send a request as soon as the one before is answered. */
import { Agent, request } from "node:http";

const REQUEST_TIMEOUT_MS = 10_000;

export interface HttpRequest {
  readonly method: "GET" | "POST";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Any other status counts as an error. */
  readonly expected: number;
}

export interface LoadResult {
  /** From the first byte sent to the last byte received, of every request that was answered as expected. */
  readonly latenciesMs: readonly number[];
  readonly errors: number;
  readonly elapsedMs: number;
}

/**
 * @param next the request to send, by a number that counts up over all clients
 */
export async function loadHttp(
  next: (count: number) => HttpRequest,
  load: { readonly clients: number; readonly durationMs: number; readonly signal: AbortSignal },
): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: load.clients });
  const latenciesMs: number[] = [];
  let errors = 0;
  let count = 0;
  const startedAt = performance.now();
  const client = async () => {
    while (performance.now() - startedAt < load.durationMs && !load.signal.aborted) {
      const asked = next(count);
      count += 1;
      const sentAt = performance.now();
      const status = await send(agent, asked).catch(() => null);
      if (status === asked.expected) latenciesMs.push(performance.now() - sentAt);
      else errors += 1;
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
