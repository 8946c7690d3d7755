/** `howdah down`: stops everything of an installation, or with --purge removes everything that it made. */
import { readdir, rm, rmdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type Docker from "dockerode";
import type { Config } from "./lib/config.ts";
import { HOME_FILES, openHome, readInstallationId } from "./lib/home.ts";
import { runningControlPlane } from "./setup/control-plane-lock.ts";
import { purgeEngine, removeImages, stopContainers } from "./setup/down.ts";
import { embeddedStateFolder, startEmbeddedState } from "./setup/embedded-state.ts";
import { findEngine } from "./setup/engine.ts";

/** Nothing was removed, since not everything could be. */
export class CannotPurge extends Error {
  override readonly name = "CannotPurge";
}

const STOP_DEADLINE_MS = 8_000;
const POLL_MS = 50;
/** What Howdah writes into its home, its parts included. */
const OWN_FILES: ReadonlySet<string> = new Set([
  ...Object.values(HOME_FILES),
  "authority.key",
  "authority.crt",
  "logs",
]);

export async function down(config: Config, { purge }: { purge: boolean }): Promise<void> {
  const installationId = await readInstallationId(config.home);
  if (installationId === null) {
    say(`There is no installation in ${config.home}; nothing to do.`);
    return;
  }
  await stopControlPlane(config.home);
  const docker = await findEngine(config.engine);
  const embedded = await hasEmbeddedState({ folder: config.home, installationId });
  if (embedded) await stopEmbeddedState(config.home);
  if (docker) {
    const stopped = await stopContainers(docker, installationId);
    say(`${stopped} ${stopped === 1 ? "container" : "containers"} stopped.`);
  } else if (!embedded) {
    const problem = "No container engine answers, so what this installation has there cannot be reached.";
    if (purge) throw new CannotPurge(`${problem}\nStart the engine first; nothing was removed.`);
    say(problem);
  }
  if (!purge) {
    say("All data is kept; npm start brings everything back.");
    return;
  }
  if (docker) await purgeFromEngine(docker, installationId, { images: config.testLabel === null });
  if (embedded) await removeFolder(embeddedStateFolder({ folder: config.home, installationId }));
  await removeHome(config.home);
}

async function stopControlPlane(home: string): Promise<void> {
  const pid = await runningControlPlane(home);
  if (pid === null) return;
  process.kill(pid, "SIGTERM");
  const giveUpAt = performance.now() + STOP_DEADLINE_MS;
  while ((await runningControlPlane(home)) === pid) {
    if (performance.now() > giveUpAt) process.kill(pid, "SIGKILL");
    await sleep(POLL_MS);
  }
  say("The control plane is stopped.");
}

async function hasEmbeddedState(home: { folder: string; installationId: string }): Promise<boolean> {
  const files = await readdir(embeddedStateFolder(home)).catch(() => []);
  return files.length > 0;
}

/** Whoever started it may have been killed; taking it over is the way to end it. */
async function stopEmbeddedState(home: string): Promise<void> {
  const state = await startEmbeddedState(await openHome(home), () => undefined);
  await state.stop();
  say("The state database is stopped.");
}

async function purgeFromEngine(
  docker: Docker,
  installationId: string,
  also: { readonly images: boolean },
): Promise<void> {
  const made = await purgeEngine(docker, installationId);
  // An installation that had nothing in the engine has not built the images there either, and tests share theirs.
  const images = also.images && made.containers.length > 0 ? await removeImages(docker) : [];
  const removed = { ...made, images };
  for (const [kind, names] of Object.entries(removed)) {
    if (names.length > 0) say(`Removed ${kind}:\n${names.map((name) => `  ${name}`).join("\n")}`);
  }
}

/** The installation's id goes last: as long as it is there, a purge that was cut off can be repeated. */
async function removeHome(home: string): Promise<void> {
  const found = await readdir(home);
  const own = found.filter((name) => OWN_FILES.has(name) || isDraft(name));
  const ordered = [...own.filter((name) => name !== HOME_FILES.installationId), HOME_FILES.installationId];
  for (const name of ordered) await rm(path.join(home, name), { recursive: true, force: true });
  const others = found.length - own.length;
  if (others === 0) await rmdir(home);
  say(others === 0 ? `Removed ${home}` : `Removed what Howdah had in ${home}; the rest is not its own.`);
}

/** What a write that was cut off leaves beside the file it was meant for. */
function isDraft(name: string): boolean {
  const file = name.replace(/\.[a-z0-9]{8}$/, "");
  return file !== name && OWN_FILES.has(file);
}

async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  say(`Removed ${folder}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
