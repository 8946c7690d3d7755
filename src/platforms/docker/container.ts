import { buffer } from "node:stream/consumers";
import type Docker from "dockerode";
import { pack } from "tar-stream";
import type { ObservedMember } from "../../planner/observed.ts";

/** The image's unprivileged user, which owns /data. */
const SERVICE_UID = 999;

/**
 * What every container of ours has in common: no privileges, no capabilities, nothing writable but its volume and
 * two small memory file systems, an init that reaps, logs of bounded size, and a life that survives the engine's.
 */
export function hardened(host: Docker.HostConfig): Docker.HostConfig {
  return {
    Init: true,
    ReadonlyRootfs: true,
    CapDrop: ["ALL"],
    SecurityOpt: ["no-new-privileges"],
    RestartPolicy: { Name: "unless-stopped" },
    Tmpfs: {
      "/run": `rw,nosuid,nodev,noexec,size=16m,uid=${SERVICE_UID},gid=${SERVICE_UID},mode=0755`,
      "/tmp": "rw,nosuid,nodev,noexec,size=64m,mode=1777",
    },
    LogConfig: { Type: "json-file", Config: { "max-size": "16m", "max-file": "3" } },
    ...host,
  };
}

/** Creates a container, or finds the one that an earlier try has created under that name. */
export async function ensureContainer(
  docker: Docker,
  options: Docker.ContainerCreateOptions & { name: string },
): Promise<Docker.Container> {
  try {
    return await docker.createContainer(options);
  } catch (error) {
    if (statusCode(error) === 409) return docker.getContainer(options.name);
    throw error;
  }
}

/** Starts it; being started already is success. */
export async function start(container: Docker.Container): Promise<void> {
  await unlessStatus(304, () => container.start());
}

/** Kills and removes it with its anonymous volumes; being gone already is success. */
export async function remove(container: Docker.Container): Promise<void> {
  await unlessStatus(404, () => container.remove({ force: true, v: true }));
}

/** null where there is none. */
export async function inspectOrNull(
  container: Docker.Container,
): Promise<Docker.ContainerInspectInfo | null> {
  try {
    return await container.inspect();
  } catch (error) {
    if (statusCode(error) === 404) return null;
    throw error;
  }
}

/** @param isAttached whether it is in the network that it belongs to */
export function conditionOf(
  { isPaused, isRunning }: { readonly isPaused: boolean; readonly isRunning: boolean },
  isAttached: boolean,
): Exclude<ObservedMember["container"], "absent"> {
  if (isPaused) return "frozen";
  if (!isRunning) return "stopped";
  return isAttached ? "running" : "cut off";
}

/** Runs a call to the engine; the given HTTP statuses count as success. */
export async function unlessStatus(
  fine: number | readonly number[],
  call: () => Promise<unknown>,
): Promise<void> {
  try {
    await call();
  } catch (error) {
    const status = statusCode(error);
    if (status === null || ![fine].flat().includes(status)) throw error;
  }
}

/** The HTTP status of an engine's answer, or null for any other error. */
export function statusCode(error: unknown): number | null {
  if (!(error instanceof Error) || !("statusCode" in error)) return null;
  return typeof error.statusCode === "number" ? error.statusCode : null;
}

/** A file to be put into a container's volume before its first start. */
export interface PlacedFile {
  readonly name: string;
  readonly content: string;
}

/**
 * Puts files, readable by the service user alone, into a folder of a container's volume. This is how secrets reach a
 * container: neither its arguments nor its environment, which the engine shows to anyone who asks it.
 */
export async function placeFiles(
  container: Docker.Container,
  volume: string,
  folder: string,
  files: readonly PlacedFile[],
): Promise<void> {
  const owner = { uid: SERVICE_UID, gid: SERVICE_UID };
  const archive = pack();
  archive.entry({ name: folder, type: "directory", mode: 0o700, ...owner });
  for (const { name, content } of files)
    archive.entry({ name: `${folder}/${name}`, mode: 0o600, ...owner }, content);
  archive.finalize();
  await container.putArchive(await buffer(archive), { path: volume });
}
