import type Docker from "dockerode";
import type { Report } from "./progress.ts";

const LINES_KEPT = 15;

/** The engine could not do what it was asked for; the message carries its last lines. */
export class EngineFailed extends Error {
  override readonly name = "EngineFailed";
}

export interface FollowOptions {
  readonly report: Report;
  /** Longest time without a sign of progress. */
  readonly silenceMs: number;
  readonly deadlineMs: number;
}

/** What one line of the engine's stream says. */
export interface EngineMessage {
  readonly text: string;
  readonly error: string | undefined;
}

/** Pulls, imports and builds all answer in lines of JSON with the same few fields. */
export function readEngineMessage(line: string): EngineMessage {
  const message = parseObject(line);
  const text = (name: string) => {
    const value = message[name];
    return typeof value === "string" ? value.trim() : "";
  };
  const error = text("error");
  const status = [text("id"), text("status"), text("progress")].filter((part) => part !== "").join(" ");
  return { text: text("stream") || status, error: error === "" ? undefined : error };
}

function parseObject(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return { stream: line };
  }
}

/**
 * Starts a long request and follows it to its end.
 * Throws EngineFailed when the engine says so, falls silent, or takes longer than the deadline.
 */
export async function followEngine(
  request: (abortSignal: AbortSignal) => Promise<NodeJS.ReadableStream>,
  { report, silenceMs, deadlineMs }: FollowOptions,
): Promise<void> {
  const abort = new AbortController();
  const giveUp = (why: string) => abort.abort(new EngineFailed(why));
  const deadline = setTimeout(() => giveUp(`not done after ${deadlineMs / 1_000} s`), deadlineMs);
  const silence = setTimeout(() => giveUp(`no progress for ${silenceMs / 1_000} s`), silenceMs);
  const lastLines: string[] = [];
  try {
    const stream = await request(abort.signal);
    let latest = "";
    for await (const line of linesOf(stream)) {
      const { text, error } = readEngineMessage(line);
      if (error !== undefined) throw new EngineFailed([...lastLines, error].join("\n"));
      if (text === "" || text === latest) continue;
      latest = text;
      silence.refresh();
      lastLines.push(`  ${text}`);
      if (lastLines.length > LINES_KEPT) lastLines.shift();
      report(text);
    }
    abort.signal.throwIfAborted();
  } catch (error) {
    // An aborted request fails with whatever the socket felt last; the reason is the abort's own.
    abort.signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(deadline);
    clearTimeout(silence);
  }
}

/** Not readline: it neither passes an aborted stream's error on nor ends there. */
async function* linesOf(stream: NodeJS.ReadableStream): AsyncGenerator<string> {
  stream.setEncoding("utf8");
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + String(chunk)).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  yield rest;
}

export async function hasImage(engine: Docker, reference: string): Promise<boolean> {
  try {
    await engine.getImage(reference).inspect();
    return true;
  } catch (error) {
    if (error instanceof Error && "statusCode" in error && error.statusCode === 404) return false;
    throw error;
  }
}
