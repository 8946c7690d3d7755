import { setTimeout as sleep } from "node:timers/promises";
import Docker from "dockerode";
import { installDocker, mayInstallPackages, startDocker } from "./docker-package.ts";
import { installAdvice } from "./engine-advice.ts";
import {
  DOCKER_SOCKET,
  type EngineAddress,
  type EngineCandidate,
  engineCandidates,
  isUsualSocket,
} from "./engine-candidates.ts";
import type { Report } from "./progress.ts";
import { findProgram } from "./run-command.ts";

export interface EngineOptions extends EngineAddress {
  /** Folder for the log files of the installation and of an engine started by hand. */
  readonly logFolder: string;
}

/** No engine answers and none could be had; the message tells a person what to type. */
export class EngineUnavailable extends Error {
  override readonly name = "EngineUnavailable";
}

const PING_TIMEOUT_MS = 2_000;
const START_TIMEOUT_MS = 60_000;
const POLL_MS = 200;

/**
 * A client of a container engine that answers. Where none does, installs and starts Debian's, if this user may.
 * Throws EngineUnavailable, BadEngineAddress or CommandFailed.
 */
export async function ensureEngine(options: EngineOptions, report: Report): Promise<Docker> {
  const candidates = engineCandidates(options);
  const refusals: string[] = [];
  for (const candidate of candidates) {
    const failure = await probe(candidate);
    if (failure === undefined) return new Docker(candidate.connection);
    refusals.push(`  ${candidate.name}: ${failure}`);
  }

  const asked = options.dockerHost ?? "";
  const own = candidates.find(({ name }) => name === `unix://${DOCKER_SOCKET}`);
  if (own === undefined || (asked !== "" && !isUsualSocket(asked))) {
    throw new EngineUnavailable(
      `The engine that DOCKER_HOST names does not answer:\n${refusals.join("\n")}\n` +
        "Start it, or unset DOCKER_HOST, or run without one:\n  npm start -- --platform simulated",
    );
  }
  if (!(await mayInstallPackages())) {
    throw new EngineUnavailable(
      `No container engine answers:\n${refusals.join("\n")}\n${await installAdvice(refusals.join("\n"))}`,
    );
  }

  if ((await findProgram("dockerd")) === undefined) {
    report("installing Debian's docker.io");
    await installDocker(options.logFolder, report);
  }
  // The package's own scripts may have started it already, as may another Howdah at the same moment.
  if ((await probe(own)) !== undefined) await startAndWait(own, options.logFolder, report);
  return new Docker(own.connection);
}

async function startAndWait(candidate: EngineCandidate, logFolder: string, report: Report): Promise<void> {
  report("starting dockerd");
  const daemon = await startDocker(logFolder, report);
  const giveUpAt = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    if ((await probe(candidate)) === undefined) return;
    const ended = daemon.hasEnded();
    if (ended || performance.now() > giveUpAt) {
      const what = ended
        ? "dockerd ended at once"
        : `dockerd did not answer in ${START_TIMEOUT_MS / 1_000} s`;
      throw new EngineUnavailable(
        `${what}. Its last words:\n${await daemon.lastWords()}\n` +
          "Without an engine:\n  npm start -- --platform simulated",
      );
    }
    await sleep(POLL_MS);
  }
}

/** A client of an engine that answers, or null; installs and starts nothing. Throws BadEngineAddress. */
export async function findEngine(address: EngineAddress): Promise<Docker | null> {
  for (const candidate of engineCandidates(address)) {
    if ((await probe(candidate)) === undefined) return new Docker(candidate.connection);
  }
  return null;
}

/** Why a candidate does not answer; undefined when it does. */
async function probe({ connection }: EngineCandidate): Promise<string | undefined> {
  try {
    await new Docker({ ...connection, timeout: PING_TIMEOUT_MS }).ping();
    return undefined;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT") return "nothing there";
    if (code === "ECONNREFUSED") return "nobody listens";
    if (code === "EACCES") return "permission denied";
    if (code === "ECONNRESET") return `no answer in ${PING_TIMEOUT_MS / 1_000} s`;
    return error instanceof Error ? error.message.trim() : String(error);
  }
}
