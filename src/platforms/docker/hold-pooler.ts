/** Transactions that wait at the pooler while something is done to the server behind it. */
import { createInterface } from "node:readline/promises";
import { PassThrough } from "node:stream";
import { finished } from "node:stream/promises";
import { setTimeout as delay } from "node:timers/promises";
import type Docker from "dockerode";
import { inspectOrNull } from "./container.ts";
import type { Context } from "./context.ts";

/** What transactions that run have left to end. */
const PATIENCE_S = 5;
/** The hold ends by then, whatever has become of whoever holds. */
const LONGEST_S = 30;
/** Beyond what the program allows itself. */
const GRACE_MS = 5_000;

export interface PoolerHold {
  /** Transactions go on. Never rejects: the program lets go by itself. */
  release(): Promise<void>;
}

/**
 * Returns once no transaction runs in the service's pooler, or some have taken all the time that they had. null where no
 * pooler runs, or it does not take the command: then its clients notice what is done.
 */
export async function holdPooler(context: Context, serviceId: string): Promise<PoolerHold | null> {
  const container = context.docker.getContainer(context.names.pooler(serviceId));
  const state = (await inspectOrNull(container))?.State;
  if (!state?.Running || state.Paused) return null;
  try {
    return await hold(container);
  } catch (error) {
    context.log.warn(
      { err: error, service: serviceId },
      "the pooler could not be held; its clients will notice",
    );
    return null;
  }
}

async function hold(container: Docker.Container): Promise<PoolerHold> {
  const exec = await container.exec({
    Cmd: ["/usr/local/lib/howdah/hold-pooler", String(PATIENCE_S), String(LONGEST_S)],
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
  });
  const stream = await exec.start({ hijack: true, stdin: true });
  const output = new PassThrough();
  const lines = createInterface({ input: output });
  container.modem.demuxStream(stream, output, output);
  const ended = finished(stream, { writable: false }).catch(() => undefined);
  void ended.then(() => output.end());
  const first = await Promise.race([firstLine(lines), delay(PATIENCE_S * 1_000 + GRACE_MS, "no answer")]);
  const release = async () => {
    stream.end("\n");
    await Promise.race([ended, delay(GRACE_MS)]);
    stream.destroy();
  };
  if (first === "held" || first === "busy") return { release };
  await release();
  throw new Error(`it says: ${first}`);
}

async function firstLine(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) return line;
  return "nothing";
}
