/** An installation that runs, with the engine that it runs on, for the tests of one file. */
import { tmpdir } from "node:os";
import type Docker from "dockerode";
import { readInstallationId } from "../../src/lib/home.ts";
import { randomId } from "../../src/lib/ids.ts";
import { purgeLabelled } from "../../src/setup/down.ts";
import { ensureEngine } from "../../src/setup/engine.ts";
import { whatCarries } from "./docker-engine.ts";
import { type Installation, type InstallationOptions, makeInstallation } from "./installation.ts";

export interface Trial {
  readonly docker: Docker;
  readonly installation: Installation;
  readonly installationId: string;
  /** Removes it with all that it made. Throws where anything of it is left in the engine. */
  readonly dispose: () => Promise<void>;
}

export async function openTrial(options: InstallationOptions = {}): Promise<Trial> {
  const docker = await ensureEngine({ logFolder: tmpdir() }, () => undefined);
  const installation = await makeInstallation(`e2e-${randomId()}`, options);
  const dispose = async () => {
    const label = `howdah.test=${installation.label}`;
    try {
      await installation.dispose();
      const left = await whatCarries(docker, label);
      if (left.length > 0) throw new Error(`left in the engine: ${left.join(", ")}`);
    } finally {
      await purgeLabelled(docker, label);
    }
  };
  try {
    await installation.start();
    const installationId = (await readInstallationId(installation.home)) ?? "";
    return { docker, installation, installationId, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}
