import { randomBytes, randomInt } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pino } from "pino";
import { loadConfig } from "../../src/lib/config.ts";
import { createDockerPlatform } from "../../src/platforms/docker/docker-platform.ts";
import { purgeLabelled } from "../../src/setup/down.ts";
import { ensureEngine } from "../../src/setup/engine.ts";
import { ensureServiceImage } from "../../src/setup/service-image.ts";
import { memberContainer, realPace, runSql, whatCarries } from "../support/docker-engine.ts";
import { platformConformance } from "./platform-conformance.ts";

platformConformance("docker", async () => {
  const runId = `conformance-${randomBytes(4).toString("hex")}`;
  const label = `howdah.test=${runId}`;
  const home = await mkdtemp(path.join(tmpdir(), "howdah-conformance-"));
  const quiet = () => undefined;
  const docker = await ensureEngine({ ...loadConfig().engine, logFolder: home }, quiet);
  const { reference: image } = await ensureServiceImage(docker, { logFolder: home }, quiet);

  const dispose = async () => {
    await purgeLabelled(docker, label);
    await rm(home, { recursive: true, force: true });
    const left = await whatCarries(docker, label);
    if (left.length > 0) throw new Error(`left in the engine: ${left.join(", ")}`);
  };
  try {
    const platform = await createDockerPlatform({
      docker,
      image,
      installationId: runId,
      labels: { "howdah.test": runId },
      bindHost: "127.0.0.1",
      publicHost: "127.0.0.1",
      home,
      logBounds: loadConfig().logBounds,
      log: pino({ level: "silent" }),
    });
    const member = (serviceId: string, ordinal: number) => memberContainer(docker, runId, serviceId, ordinal);
    return {
      platform,
      pace: realPace,
      async killMember(serviceId, ordinal) {
        await (await member(serviceId, ordinal)).kill();
      },
      async write(serviceId, primary) {
        const sql = "create table if not exists written (at timestamptz); insert into written values (now())";
        await runSql(await member(serviceId, primary), sql);
      },
      async countWrites(serviceId, primary) {
        return Number(await runSql(await member(serviceId, primary), "select count(*) from written"));
      },
      databaseIdentity: async (serviceId, primary) =>
        runSql(await member(serviceId, primary), "select system_identifier from pg_control_system()"),
      async otherNetwork() {
        // Its name comes before those of services.
        const Name = `apps-${runId}`;
        const IPAM = { Driver: "default", Config: [{ Subnet: `10.234.${randomInt(128, 256)}.0/28` }] };
        await docker.createNetwork({ Name, IPAM, Labels: { "howdah.test": runId } });
        return Name;
      },
      async dispose() {
        try {
          await platform.close();
        } finally {
          await dispose();
        }
      },
    };
  } catch (error) {
    await dispose();
    throw error;
  }
});
