import { readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { HOME_FILES, readText, writeOnce } from "../lib/home.ts";
import { randomId } from "../lib/ids.ts";

/** Another control plane runs on this home. */
export class AlreadyRunning extends Error {
  override readonly name = "AlreadyRunning";
}

export interface ControlPlaneLock {
  release(): Promise<void>;
}

const TRIES = 10;

/** One control plane a home. A lock whose process is dead, as kill -9 leaves it, is taken over. Throws AlreadyRunning. */
export async function lockHome(home: string): Promise<ControlPlaneLock> {
  const file = path.join(home, HOME_FILES.lock);
  const own = await describeProcess(process.pid);
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (own !== null && (await writeOnce(file, own))) {
      return {
        async release() {
          if ((await readText(file)) === own) await rm(file, { force: true });
        },
      };
    }
    const pid = await runningControlPlane(home);
    if (pid !== null) {
      throw new AlreadyRunning(
        `A control plane is already running on ${home} (process ${pid}).\n` +
          "Stop it with Ctrl-C or npm run down, or choose another HOWDAH_HOME and HOWDAH_PORT.",
      );
    }
    await removeStale(file);
  }
  throw new AlreadyRunning(`${file} is being fought over by several processes; try again.`);
}

/** The process id of the control plane that runs on this home, else null. */
export async function runningControlPlane(home: string): Promise<number | null> {
  const holder = await readText(path.join(home, HOME_FILES.lock));
  return holder !== null && (await isAlive(holder)) ? Number.parseInt(holder, 10) : null;
}

/** Moved aside before it is looked at again: two processes that clean up at once cannot remove each other's new lock. */
async function removeStale(file: string): Promise<void> {
  const aside = `${file}.${randomId(8)}`;
  try {
    await rename(file, aside);
  } catch {
    return;
  }
  const holder = await readText(aside);
  if (holder !== null && (await isAlive(holder))) await writeOnce(file, holder);
  await rm(aside, { force: true });
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
