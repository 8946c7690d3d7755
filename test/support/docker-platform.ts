/** A docker platform of a test's own, and the care that nothing of it is left in the engine. */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type Docker from "dockerode";
import { pino } from "pino";
import { loadConfig } from "../../src/lib/config.ts";
import { createDockerPlatform } from "../../src/platforms/docker/docker-platform.ts";
import type { Platform } from "../../src/platforms/platform.ts";
import { purgeLabelled } from "../../src/setup/down.ts";
import { ensureEngine } from "../../src/setup/engine.ts";
import { ensureServiceImage } from "../../src/setup/service-image.ts";
import { whatCarries } from "./docker-engine.ts";

export interface TestPlatform {
  readonly docker: Docker;
  readonly platform: Platform;
  /** The service image. */
  readonly image: string;
  /** Both the installation's id and the value of the label howdah.test. */
  readonly runId: string;
  /** Carried by everything that the platform makes; for what a test makes beside it. */
  readonly labels: Readonly<Record<string, string>>;
  /** Removes everything. Throws if anything is left. */
  dispose(): Promise<void>;
}

export async function openDockerPlatform(name: string): Promise<TestPlatform> {
  const runId = `${name}-${randomBytes(4).toString("hex")}`;
  const labels = { "howdah.test": runId };
  const home = await mkdtemp(path.join(tmpdir(), `howdah-${name}-`));
  const quiet = () => undefined;
  const docker = await ensureEngine({ ...loadConfig().engine, logFolder: home }, quiet);
  const { reference: image } = await ensureServiceImage(docker, { logFolder: home }, quiet);

  const purge = async () => {
    await purgeLabelled(docker, `howdah.test=${runId}`);
    await rm(home, { recursive: true, force: true });
    const left = await whatCarries(docker, `howdah.test=${runId}`);
    if (left.length > 0) throw new Error(`left in the engine: ${left.join(", ")}`);
  };
  try {
    const platform = await createDockerPlatform({
      docker,
      image,
      installationId: runId,
      labels,
      bindHost: "127.0.0.1",
      publicHost: "127.0.0.1",
      home,
      logBounds: loadConfig().logBounds,
      log: pino({ level: "silent" }),
    });
    const dispose = async () => {
      try {
        await platform.close();
      } finally {
        await purge();
      }
    };
    return { docker, platform, image, runId, labels, dispose };
  } catch (error) {
    await purge();
    throw error;
  }
}
