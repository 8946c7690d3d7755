/** Ending a container whose processes must not do anything more. */
import { access, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type Docker from "dockerode";
import { inspectOrNull, unlessStatus } from "./container.ts";

const DEATH_POLL_MS = 20;
const DEATH_DEADLINE_MS = 10_000;

/** Kills every process of a container, and returns when the engine has seen it dead. Throws where it does not die in time. */
export async function endAtOnce(container: Docker.Container): Promise<void> {
  await killAtOnce(container);
  await until(() => doesNotRun(container));
}

/**
 * Kills every process of a container, and returns when all of them are dead; the engine may still have some cleaning up to
 * do then. Throws where they do not die in time. A container that is frozen is thawed by its end, and must not run a moment
 * longer: where the engine's processes are this machine's own, each of them is told to die before it is thawed.
 *
 * @param startedAt which life of the container is meant; a later one is left alone
 */
export async function killAtOnce(container: Docker.Container, startedAt?: string): Promise<void> {
  const found = await inspectOrNull(container);
  if (!found?.State.Running) return;
  if (startedAt !== undefined && found.State.StartedAt !== startedAt) return;
  const { Pid: first, Paused: isPaused } = found.State;
  const isHere = await isOurs(first, found.Id);
  if (isHere && isPaused) await killFrozen(container, found.Id);
  // 404: gone; 409: it does not run any more.
  const killed = unlessStatus([404, 409], () => container.kill({ signal: "SIGKILL" }));
  // The kernel lets the first process of a container go when no other is left. The engine answers later; what it refuses
  // to do is an error all the same.
  const gone = until(() => (isHere ? hasGone(first) : doesNotRun(container)));
  await Promise.race([gone, killed.then(() => gone)]);
}

async function doesNotRun(container: Docker.Container): Promise<boolean> {
  return !(await inspectOrNull(container))?.State.Running;
}

/** A process that is ending has left its groups already, and has children that run: only that it is no more counts. */
async function hasGone(pid: number): Promise<boolean> {
  try {
    await access(`/proc/${pid}`);
    return false;
  } catch {
    return true;
  }
}

/** Whether a process of this machine belongs to a container; of an engine elsewhere, that number means another one here. */
async function isOurs(pid: number, containerId: string): Promise<boolean> {
  try {
    return (await readFile(`/proc/${pid}/cgroup`, "utf8")).includes(containerId);
  } catch {
    return false;
  }
}

async function killFrozen(container: Docker.Container, containerId: string): Promise<void> {
  const { Titles: titles, Processes: rows } = await container.top();
  const column = titles.indexOf("PID");
  for (const row of rows) {
    const pid = Number(row[column]);
    if (!(await isOurs(pid, containerId))) continue;
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // Dead already, or not ours to kill: the engine ends what is left.
    }
  }
}

async function until(dead: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + DEATH_DEADLINE_MS;
  while (!(await dead())) {
    if (performance.now() > deadline) throw new Error("the container does not die");
    await delay(DEATH_POLL_MS);
  }
}
