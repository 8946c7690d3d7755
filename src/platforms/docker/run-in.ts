import { addAbortSignal, PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import type Docker from "dockerode";

const EXIT_TOLD_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 20;

export interface Ran {
  readonly exitCode: number | null;
  /** Both of its streams, trimmed. */
  readonly output: string;
}

/**
 * Runs a program in a running container to its end, with `input` on its standard input. Throws where that takes longer
 * than `timeoutMs`; the program itself is not ended then.
 */
export async function runIn(
  container: Docker.Container,
  command: readonly string[],
  timeoutMs: number,
  input?: string,
): Promise<Ran> {
  const abortSignal = AbortSignal.timeout(timeoutMs);
  const reads = input !== undefined;
  const exec = await container.exec({
    Cmd: [...command],
    AttachStdin: reads,
    AttachStdout: true,
    AttachStderr: true,
    abortSignal,
  });
  const stream = await exec.start({ hijack: reads, stdin: reads, abortSignal });
  addAbortSignal(abortSignal, stream);
  const output = new PassThrough();
  container.modem.demuxStream(stream, output, output);
  stream.on("end", () => output.end());
  stream.on("error", (error) => output.destroy(error));
  if (reads) stream.end(input);
  const printed = await text(output);
  return { exitCode: await exitCodeOf(exec, abortSignal), output: printed.trim() };
}

interface Inspected {
  inspect(options: { abortSignal: AbortSignal }): Promise<{
    readonly Running: boolean;
    readonly ExitCode: number | null;
  }>;
}

/**
 * Of a program whose output has ended: the engine sees the end of the output a moment before that of the program. null
 * where the program goes on without its output.
 */
export async function exitCodeOf(exec: Inspected, abortSignal: AbortSignal): Promise<number | null> {
  const deadline = performance.now() + EXIT_TOLD_WITHIN_MS;
  for (;;) {
    const { Running, ExitCode } = await exec.inspect({ abortSignal });
    if (!Running || performance.now() > deadline) return ExitCode;
    await delay(LOOK_EVERY_MS, undefined, { signal: abortSignal });
  }
}
