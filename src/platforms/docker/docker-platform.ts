/** The docker platform: services on one machine, on any engine that speaks Docker's API. */
import type Docker from "dockerode";
import type { Logger } from "pino";
import { loadAuthority } from "../../lib/authority.ts";
import type { Platform } from "../platform.ts";
import { createCoordination, ensureEtcd } from "./coordination.ts";
import { databaseAddress } from "./database-address.ts";
import { execute } from "./execute.ts";
import { readLogs } from "./logs.ts";
import { namesFor } from "./names.ts";
import { observe } from "./observe.ts";
import type { LogBounds } from "./patroni-config.ts";
import { freePorts } from "./ports.ts";
import { createPostgresProbe } from "./postgres-probe.ts";
import { createUsageReader } from "./usage.ts";
import { ensureVpc, removeVpc, surveyNetworks } from "./vpc-network.ts";
import { watch } from "./watch.ts";

export interface DockerPlatformOptions {
  readonly docker: Docker;
  readonly image: string;
  readonly installationId: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly bindHost: string;
  readonly publicHost: string;
  /** The folder that keeps the authority. */
  readonly home: string;
  readonly logBounds: LogBounds;
  readonly log: Logger;
}

export async function createDockerPlatform(options: DockerPlatformOptions): Promise<Platform> {
  const engine = {
    ...options,
    names: namesFor(options.installationId),
    authority: await loadAuthority(options.home),
  };
  await ensureEtcd(engine);
  const context = { ...engine, coordination: createCoordination(engine) };
  const probe = createPostgresProbe(engine.authority.certificatePem);
  const usage = createUsageReader(context);

  return {
    async capacity() {
      const { NCPU, MemTotal } = await options.docker.info();
      return { cpuMillis: NCPU * 1000, memoryBytes: MemTotal };
    },
    observe: (service) => observe(context, probe, service),
    execute: (step, service) => execute(context, probe, step, service),
    surveyNetworks: () => surveyNetworks(context),
    ensureVpc: (vpc) => ensureVpc(context, vpc),
    removeVpc: (vpcId) => removeVpc(context, vpcId),
    watch: (changed, signal) => watch(context, changed, signal),
    freePorts: (count, taken) => freePorts(options.bindHost, count, taken),
    usage: (service) => usage.read(service),
    logs: (serviceId, query) => readLogs(context, serviceId, query),
    databaseAddress: (serviceId, readsFrom) => databaseAddress(context, serviceId, readsFrom),
    async close() {
      await Promise.all([probe.close(), usage.close()]);
    },
  };
}
