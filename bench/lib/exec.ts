import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { finished } from "node:stream/promises";
import type Docker from "dockerode";
import { DeadlineExceeded, within } from "./deadline.ts";

/** A command in a container that failed; the message carries what it wrote. */
export class ExecFailed extends Error {
  override readonly name = "ExecFailed";
}

/**
 * Runs a command inside a container to its end and returns what it wrote to its standard output.
 * Throws ExecFailed or DeadlineExceeded; the command itself has to be bounded, since an engine cannot end it.
 */
export async function execIn(
  engine: Docker,
  container: Docker.Container,
  command: readonly string[],
  deadlineMs: number,
  signal: AbortSignal,
): Promise<string> {
  const exec = await container.exec({ Cmd: [...command], AttachStdout: true, AttachStderr: true });
  const stream = await exec.start({});
  const output = new PassThrough();
  const errors = new PassThrough();
  engine.modem.demuxStream(stream, output, errors);
  const written = Promise.all([text(output), text(errors)]);
  try {
    await finished(stream, { signal: within(deadlineMs, signal), writable: false });
  } catch (error) {
    stream.destroy();
    signal.throwIfAborted();
    throw new DeadlineExceeded(`"${command.join(" ")}" did not end in ${deadlineMs / 1_000} s`, {
      cause: error,
    });
  } finally {
    output.end();
    errors.end();
  }
  const [out, err] = await written;
  const { ExitCode } = await exec.inspect();
  if (ExitCode !== 0) throw new ExecFailed(`"${command.join(" ")}" ended with ${ExitCode}: ${err}${out}`);
  return out;
}
