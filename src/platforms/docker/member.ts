/** A member: one container with Patroni and PostgreSQL, and the volume with its data. */
import type Docker from "dockerode";
import type { MemberLimits } from "../../planner/limits.ts";
import type { Step, StepOutcome } from "../../planner/step.ts";
import type { ServiceIdentity } from "../platform.ts";
import { renderBootstrapSql } from "./bootstrap-sql.ts";
import { ensureContainer, hardened, placeFiles, remove, start, unlessStatus } from "./container.ts";
import { type Context, serviceLabels } from "./context.ts";
import { MEMBERS_ALIAS } from "./haproxy-config.ts";
import { LABEL, memberName } from "./names.ts";
import { findNetwork, type ServiceNetwork } from "./network.ts";
import { patroniClient } from "./patroni-client.ts";
import { renderPatroniConfig } from "./patroni-config.ts";

/** Enough for 100 connections, their workers and Patroni. */
const PIDS_LIMIT = 512;
/** An upper bound, not a reservation: what is used counts as the member's memory. */
const SHARED_MEMORY_BYTES = 8 * 1024 ** 3;
/** A clean shutdown checkpoints first. */
const STOP_TIMEOUT_S = 30;

type CreateMember = Extract<Step, { kind: "createMember" }>;

export async function createMember(
  context: Context,
  step: CreateMember,
  service: ServiceIdentity,
): Promise<StepOutcome> {
  const { docker, names } = context;
  const network = await findNetwork(docker, names.network(service.serviceId));
  if (!network) return { kind: "wait", why: "the service's network is not there" };
  const name = names.member(service.serviceId, step.ordinal);
  const labels = {
    ...serviceLabels(context, service.serviceId),
    [LABEL.role]: "member",
    [LABEL.ordinal]: String(step.ordinal),
  };
  await docker.createVolume({ Name: name, Labels: labels });
  const container = await ensureContainer(docker, {
    name,
    Image: context.image,
    Cmd: ["python3", "/usr/local/lib/howdah/member.py", "/data/etc/patroni.yml"],
    Labels: labels,
    HostConfig: hardened({
      Binds: [`${name}:/data`],
      ...engineLimits(step.limits),
      PidsLimit: PIDS_LIMIT,
      ShmSize: SHARED_MEMORY_BYTES,
      ExtraHosts: [`etcd:${network.addressOf("etcd")}`],
    }),
    NetworkingConfig: {
      EndpointsConfig: {
        [network.name]: {
          Aliases: [MEMBERS_ALIAS, memberName(step.ordinal)],
          IPAMConfig: { IPv4Address: network.addressOf("firstMember", step.ordinal) },
        },
      },
    },
    StopTimeout: STOP_TIMEOUT_S,
  });
  if ((await container.inspect()).State.Running) return { kind: "done" };
  await placeFiles(container, "/data", "etc", await memberFiles(context, step, service, network));
  await start(container);
  return { kind: "done" };
}

async function memberFiles(
  context: Context,
  step: CreateMember,
  service: ServiceIdentity,
  network: ServiceNetwork,
) {
  const address = network.addressOf("firstMember", step.ordinal);
  const host = context.publicHost;
  const hostIsAddress = /^[\d.]+$|:/.test(host);
  const certificate = await context.authority.issue({
    commonName: service.serviceId,
    dns: ["localhost", memberName(step.ordinal), ...(hostIsAddress ? [] : [host])],
    ips: [address, "127.0.0.1", ...(hostIsAddress && host !== "127.0.0.1" ? [host] : [])],
  });
  return [
    { name: "patroni.yml", content: renderPatroniConfig({ ...step, ...service, address }) },
    { name: "ca.crt", content: context.authority.certificatePem },
    { name: "server.crt", content: certificate.certificatePem },
    { name: "server.key", content: certificate.privateKeyPem },
    ...(step.data === "new"
      ? [{ name: "bootstrap.sql", content: renderBootstrapSql(service.addons, service.secrets) }]
      : []),
  ];
}

export async function startMember(
  context: Context,
  serviceId: string,
  ordinal: number,
  limits: MemberLimits,
): Promise<StepOutcome> {
  const container = context.docker.getContainer(context.names.member(serviceId, ordinal));
  await container.update(engineLimits(limits));
  await start(container);
  return { kind: "done" };
}

export async function setLimits(
  context: Context,
  serviceId: string,
  ordinal: number,
  limits: MemberLimits,
): Promise<StepOutcome> {
  const container = context.docker.getContainer(context.names.member(serviceId, ordinal));
  try {
    await container.update(engineLimits(limits));
    return { kind: "done" };
  } catch (error) {
    return { kind: "failed", why: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Removes a replica with its data. The planner never asks for the primary to be removed; but what it has seen may be
 * old, so the member is asked once more, and one that leads stays.
 */
export async function removeMember(
  context: Context,
  service: ServiceIdentity,
  ordinal: number,
): Promise<StepOutcome> {
  const { docker, names } = context;
  const name = names.member(service.serviceId, ordinal);
  const network = await findNetwork(docker, names.network(service.serviceId));
  if (network) {
    const status = await patroniClient(
      network.addressOf("firstMember", ordinal),
      service.secrets.patroniPassword,
    ).status();
    if (status?.role === "primary")
      return { kind: "failed", why: `member ${ordinal} leads now and is not removed` };
  }
  const container = docker.getContainer(name);
  await unlessStatus(404, () => unlessStatus(304, () => container.stop({ t: STOP_TIMEOUT_S })));
  await remove(container);
  await unlessStatus(404, () => docker.getVolume(name).remove());
  return { kind: "done" };
}

/** The period over which the kernel measures a CPU quota; its own default. */
const CPU_PERIOD_US = 100_000;
const NO_QUOTA = -1;

/** Limits in the engine's terms; no swap, so that memory means memory. */
function engineLimits(
  limits: MemberLimits,
): Pick<Docker.HostConfig, "CpuPeriod" | "CpuQuota" | "CpuShares" | "Memory" | "MemorySwap"> {
  return {
    CpuPeriod: CPU_PERIOD_US,
    CpuQuota: limits.cpuMillis === null ? NO_QUOTA : (limits.cpuMillis * CPU_PERIOD_US) / 1000,
    CpuShares: limits.cpuWeight,
    Memory: limits.memoryBytes,
    MemorySwap: limits.memoryBytes,
  };
}

export function limitsOf({ CpuPeriod, CpuQuota, CpuShares, Memory }: Docker.HostConfig): MemberLimits {
  return {
    cpuMillis: CpuQuota && CpuPeriod && CpuQuota > 0 ? Math.round((CpuQuota * 1000) / CpuPeriod) : null,
    cpuWeight: CpuShares ?? 0,
    memoryBytes: Memory ?? 0,
  };
}
