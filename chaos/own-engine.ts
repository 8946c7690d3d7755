/**
 * A container engine of a run's own, in a network of its own, so that it can be restarted without touching anybody else's
 * containers, addresses or rules of the firewall. Linux, as root, with dockerd's, iproute2's and util-linux's programs.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, createWriteStream, openSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as delay } from "node:timers/promises";
import Docker from "dockerode";

const START_DEADLINE_MS = 60_000;
/** It stops every container first, and each may take its time. */
const STOP_DEADLINE_MS = 120_000;
const POLL_MS = 100;

export interface OwnEngine {
  /** Ends it as a service manager does, and starts it again. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Runs this program again in a network of its own, with a folder that its engine is to live in and that holds the image.
 * Returns its exit code; nothing is left then.
 */
export async function againInOwnNetwork(
  host: Docker,
  image: string,
  args: readonly string[],
): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), "howdah-chaos-engine-"));
  try {
    const saved: NodeJS.ReadableStream = await host.getImage(image).get();
    await pipeline(saved, createWriteStream(imageFile(folder)));
    const main = path.join(import.meta.dirname, "main.ts");
    const child = spawn("unshare", ["--net", process.execPath, main, ...args, "--engine-folder", folder], {
      stdio: "inherit",
      env: { ...process.env, DOCKER_HOST: `unix://${socketFile(folder)}` },
    });
    // A terminal's Ctrl-C reaches the child by itself.
    process.on("SIGINT", () => undefined);
    for (const signal of ["SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
    return await exitCode(child);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Starts the engine in the folder, with the image in it. Throws where it does not answer in time. */
export async function startOwnEngine(folder: string): Promise<OwnEngine> {
  await exitCode(spawn("ip", ["link", "set", "lo", "up"], { stdio: "ignore" }));
  let running = await startDaemon(folder);
  const engine = new Docker({ socketPath: socketFile(folder) });
  const loading = await engine.loadImage(createReadStream(imageFile(folder)));
  await pipeline(loading, async (lines) => {
    for await (const _ of lines) continue;
  });
  return {
    async restart() {
      await stopDaemon(running);
      running = await startDaemon(folder);
    },
    stop: () => stopDaemon(running),
  };
}

async function startDaemon(folder: string): Promise<ChildProcess> {
  const log = openSync(path.join(folder, "dockerd.log"), "a");
  const daemon = spawn(
    "dockerd",
    [
      `--data-root=${path.join(folder, "data")}`,
      `--exec-root=${path.join(folder, "exec")}`,
      `--pidfile=${path.join(folder, "pid")}`,
      `--host=unix://${socketFile(folder)}`,
    ],
    // A terminal's Ctrl-C is not for it: its containers are looked at and removed first.
    { stdio: ["ignore", log, log], detached: true },
  );
  const engine = new Docker({ socketPath: socketFile(folder) });
  const deadline = performance.now() + START_DEADLINE_MS;
  for (;;) {
    if (await answers(engine)) return daemon;
    if (hasEnded(daemon) || performance.now() > deadline) {
      await stopDaemon(daemon);
      throw new Error(`an engine of its own does not start; see ${folder}/dockerd.log`);
    }
    await delay(POLL_MS);
  }
}

async function answers(engine: Docker): Promise<boolean> {
  try {
    await engine.ping();
    return true;
  } catch {
    return false;
  }
}

async function stopDaemon(daemon: ChildProcess): Promise<void> {
  if (hasEnded(daemon)) return;
  const exited = once(daemon, "exit");
  daemon.kill("SIGTERM");
  const timer = setTimeout(() => daemon.kill("SIGKILL"), STOP_DEADLINE_MS);
  await exited;
  clearTimeout(timer);
}

function hasEnded({ pid, exitCode: code, signalCode }: ChildProcess): boolean {
  return pid === undefined || code !== null || signalCode !== null;
}

function exitCode(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}

function socketFile(folder: string): string {
  return path.join(folder, "socket");
}

function imageFile(folder: string): string {
  return path.join(folder, "image.tar");
}
