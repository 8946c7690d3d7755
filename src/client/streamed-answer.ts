/** An answer that is read as it comes, for as long as something comes. */
import { ClientError } from "./client-error.ts";
import { type HttpOptions, openAnswer } from "./http.ts";

export interface StreamedCall {
  /** With its query, below the base. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Told once the API has begun to answer. */
  readonly onOpen?: (() => void) | undefined;
}

/** An API that sends nothing for so long is not there any more; into a stream of events it sends something every 15 s. */
const SILENCE_MS = 45_000;

/**
 * Its text, piece by piece; the connection ends with the reader. Throws ClientError where the API refuses, falls silent
 * or is lost, and the reason of the signal.
 */
export async function* readAsItComes(
  http: HttpOptions,
  { path, headers, signal, onOpen }: StreamedCall,
): AsyncGenerator<string, void, undefined> {
  const silence = new AbortController();
  const fallSilent = () => silence.abort(new ClientError("TIMEOUT", "the API has fallen silent"));
  const heard = async <T>(awaited: Promise<T>): Promise<T> => {
    const watching = setTimeout(fallSilent, SILENCE_MS);
    return awaited.finally(() => clearTimeout(watching));
  };
  const either = AbortSignal.any([signal, silence.signal]);
  const response = await heard(openAnswer(http, path, headers, either));
  onOpen?.();
  const decoder = new TextDecoder();
  const body = response.body?.getReader();
  if (!body) return;
  try {
    for (;;) {
      const { done, value } = await heard(body.read());
      if (done) return;
      yield decoder.decode(value, { stream: true });
    }
  } catch (error) {
    either.throwIfAborted();
    throw new ClientError("UNREACHABLE", "the connection to the API was lost", { cause: error });
  } finally {
    await body.cancel().catch(() => undefined);
  }
}
