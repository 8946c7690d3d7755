import { addAbortSignal, PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import type Docker from "dockerode";

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
  return { exitCode: (await exec.inspect({ abortSignal })).ExitCode, output: printed.trim() };
}
