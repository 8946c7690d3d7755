import { randomInt } from "node:crypto";
import { memberContainer, realPace, runSql } from "../support/docker-engine.ts";
import { openDockerPlatform } from "../support/docker-platform.ts";
import { platformConformance } from "./platform-conformance.ts";

platformConformance("docker", async () => {
  const world = await openDockerPlatform("conformance");
  const { docker, platform, runId, labels } = world;
  const member = (serviceId: string, ordinal: number) => memberContainer(docker, runId, serviceId, ordinal);
  return {
    platform,
    pace: realPace,
    async killMember(serviceId, ordinal) {
      await (await member(serviceId, ordinal)).kill();
    },
    async forgetSettings(serviceId, ordinal) {
      const forget = `sed -i "s/^work_mem = .*/work_mem = '5MB'/" /data/pg/postgresql.conf`;
      await runSql(
        await member(serviceId, ordinal),
        `copy (select) to program $$${forget}$$; select pg_reload_conf()`,
      );
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
      await docker.createNetwork({ Name, IPAM, Labels: labels });
      return Name;
    },
    dispose: () => world.dispose(),
  };
});
