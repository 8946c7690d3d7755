import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFile, realpath, rm } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import path from "node:path";
import { HOME_FILES, readText, replaceFile } from "../lib/home.ts";

/** Another control plane runs on this home. */
export class AlreadyRunning extends Error {
  override readonly name = "AlreadyRunning";
}

export interface ControlPlaneLock {
  release(): Promise<void>;
}

/**
 * One control plane a home. On Linux the lock is a socket name, which the kernel gives to one process and takes back
 * when that ends, however it ends; the file beside it tells who that is. Elsewhere the file alone has to do.
 * Throws AlreadyRunning.
 */
export async function lockHome(home: string): Promise<ControlPlaneLock> {
  const file = path.join(home, HOME_FILES.lock);
  const own = await describeProcess(process.pid);
  const name = process.platform === "linux" ? await takeName(home) : null;
  const running = process.platform === "linux" ? name === null : (await runningControlPlane(home)) !== null;
  if (running || own === null) {
    const pid = await runningControlPlane(home);
    throw new AlreadyRunning(
      `A control plane is already running on ${home}${pid === null ? "" : ` (process ${pid})`}.\n` +
        "Stop it with Ctrl-C or npm run down, or choose another HOWDAH_HOME and HOWDAH_PORT.",
    );
  }
  await replaceFile(file, own);
  return {
    async release() {
      if ((await readText(file)) === own) await rm(file, { force: true });
      name?.close();
    },
  };
}

/** null where another process has it. */
async function takeName(home: string): Promise<Server | null> {
  const digest = createHash("sha256")
    .update(await realpath(home))
    .digest("hex");
  const server = createServer();
  try {
    server.listen({ path: `\0howdah-${digest.slice(0, 32)}` });
    await once(server, "listening");
    server.unref();
    return server;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") return null;
    throw error;
  }
}

/** The process id of the control plane that runs on this home, else null. */
export async function runningControlPlane(home: string): Promise<number | null> {
  const holder = await readText(path.join(home, HOME_FILES.lock));
  return holder !== null && (await isAlive(holder)) ? Number.parseInt(holder, 10) : null;
}

async function isAlive(holder: string): Promise<boolean> {
  const pid = Number.parseInt(holder, 10);
  return pid > 0 && (await describeProcess(pid)) === holder;
}

/** Process ids are used again; with the time at which it began, on Linux, a process is told from its successors. */
async function describeProcess(pid: number): Promise<string | null> {
  if (process.platform !== "linux") return exists(pid) ? String(pid) : null;
  try {
    const status = await readFile(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may hold anything; the 22nd field is the 20th after it.
    const fields = status.slice(status.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? null : `${pid} ${fields[19]}`;
  } catch {
    return null;
  }
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
