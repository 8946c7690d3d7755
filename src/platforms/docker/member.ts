/** A member: one container with Patroni and PostgreSQL, and the volume with its data. */
import type Docker from "dockerode";
import { type MemberLimits, sameLimits } from "../../planner/limits.ts";
import type { PostgresSettings } from "../../planner/settings.ts";
import type { Step, StepOutcome } from "../../planner/step.ts";
import type { ServiceIdentity } from "../platform.ts";
import { renderBootstrapSql, renderForkSql } from "./bootstrap-sql.ts";
import {
  ensureContainer,
  hardened,
  inspectOrNull,
  placeFiles,
  remove,
  start,
  unlessStatus,
} from "./container.ts";
import { type Context, serviceFilters, serviceLabels } from "./context.ts";
import { endAtOnce } from "./end-at-once.ts";
import { endpointNames } from "./endpoint-names.ts";
import { membersAlias } from "./haproxy-config.ts";
import { LABEL, patroniName } from "./names.ts";
import { findGround, type ServiceNetwork } from "./network.ts";
import { patroniClient } from "./patroni-client.ts";
import { renderPatroniConfig } from "./patroni-config.ts";

/** Enough for a thousand connections, their workers and Patroni. */
const PIDS_LIMIT = 2048;
/** An upper bound, not a reservation: what is used counts as the member's memory. */
const SHARED_MEMORY_BYTES = 8 * 1024 ** 3;
/** A clean end writes everything out first. */
const STOP_TIMEOUT_S = 120;
/** How long the engine is waited for beyond that. */
const STOP_GRACE_S = 10;
/** What is removed with its data is not worth a longer wait. */
const REMOVAL_TIMEOUT_S = 30;
/** What the engine tells of a container that had to be killed. */
const KILLED = 137;

type CreateMember = Extract<Step, { kind: "createMember" }>;

export async function createMember(
  context: Context,
  step: CreateMember,
  service: ServiceIdentity,
): Promise<StepOutcome> {
  const { docker } = context;
  const network = await findGround(context, service);
  if (!network) return { kind: "wait", why: "the service's network is not there" };
  const name = await ensureMemberVolume(context, service, step.ordinal);
  const container = await ensureContainer(docker, {
    name,
    Image: context.image,
    Cmd: ["python3", "/usr/local/lib/howdah/member.py", "/data/etc/patroni.yml"],
    Labels: memberLabels(context, service, step.ordinal),
    HostConfig: hardened({
      Binds: [`${name}:/data`],
      ...engineLimits(step.limits),
      PidsLimit: PIDS_LIMIT,
      ShmSize: SHARED_MEMORY_BYTES,
      ExtraHosts: [`etcd:${network.addressOf("etcd")}`],
    }),
    NetworkingConfig: {
      EndpointsConfig: { [network.name]: memberEndpoint(network, service, step.ordinal) },
    },
    StopTimeout: STOP_TIMEOUT_S,
  });
  const { State, HostConfig } = await container.inspect();
  // An earlier try may have made it, for another size.
  if (!sameLimits(limitsOf(HostConfig), step.limits)) await container.update(engineLimits(step.limits));
  if (State.Running) return { kind: "done" };
  await placeFiles(container, "/data", "etc", await memberFiles(context, step, service, network));
  await start(container);
  return { kind: "done" };
}

function bootstrapSql(data: "new" | "fork", { addons, secrets }: ServiceIdentity): string {
  return data === "new" ? renderBootstrapSql(addons, secrets) : renderForkSql(secrets);
}

/** Returns its name. */
export async function ensureMemberVolume(
  context: Context,
  service: ServiceIdentity,
  ordinal: number,
): Promise<string> {
  const name = context.names.member(service.serviceId, ordinal);
  await context.docker.createVolume({ Name: name, Labels: memberLabels(context, service, ordinal) });
  return name;
}

function memberLabels(context: Context, service: ServiceIdentity, ordinal: number): Record<string, string> {
  return {
    ...serviceLabels(context, service.serviceId),
    // One that only reads never leads, so nobody has to guard that.
    [LABEL.role]: service.readsFrom === null ? "member" : "reader",
    [LABEL.ordinal]: String(ordinal),
  };
}

async function memberFiles(
  context: Context,
  step: CreateMember,
  service: ServiceIdentity,
  network: ServiceNetwork,
) {
  const address = network.addressOf("firstMember", step.ordinal);
  const name = patroniName(service, step.ordinal);
  const certificate = await context.authority.issue(
    endpointNames(context, { serviceId: service.serviceId, name, address }),
  );
  return [
    patroniFile(context, step, service, network),
    { name: "ca.crt", content: context.authority.certificatePem },
    { name: "server.crt", content: certificate.certificatePem },
    { name: "server.key", content: certificate.privateKeyPem },
    ...(step.data === "copy" ? [] : [{ name: "bootstrap.sql", content: bootstrapSql(step.data, service) }]),
  ];
}

function patroniFile(
  { logBounds: log }: Context,
  step: Pick<CreateMember, "ordinal" | "configuration" | "data">,
  service: ServiceIdentity,
  network: ServiceNetwork,
) {
  const address = network.addressOf("firstMember", step.ordinal);
  const name = patroniName(service, step.ordinal);
  return { name: "patroni.yml", content: renderPatroniConfig({ ...step, ...service, name, address, log }) };
}

/** Tells a member that only reads its own settings, which Patroni takes up with its next look. */
export async function placeReaderSettings(
  context: Context,
  service: ServiceIdentity,
  network: ServiceNetwork,
  { ordinal, settings }: { readonly ordinal: number; readonly settings: PostgresSettings },
): Promise<void> {
  const configuration = { settings, syncReplicaCount: 0 };
  const file = patroniFile(context, { ordinal, configuration, data: "copy" }, service, network);
  const container = context.docker.getContainer(context.names.member(service.serviceId, ordinal));
  await placeFiles(container, "/data", "etc", [file]);
}

function memberEndpoint(
  network: ServiceNetwork,
  service: ServiceIdentity,
  ordinal: number,
): Docker.EndpointSettings {
  return {
    Aliases: [membersAlias(service), patroniName(service, ordinal)],
    IPAMConfig: { IPv4Address: network.addressOf("firstMember", ordinal) },
  };
}

export async function startMember(
  context: Context,
  service: ServiceIdentity,
  ordinal: number,
  limits: MemberLimits,
): Promise<StepOutcome> {
  const { docker, names } = context;
  const container = docker.getContainer(names.member(service.serviceId, ordinal));
  const network = await findGround(context, service);
  if (!network) return { kind: "wait", why: "the service's network is not there" };
  const { Networks: networks } = (await container.inspect()).NetworkSettings;
  // Whoever has cut it off, it starts where it belongs.
  if (!(network.name in networks)) {
    const EndpointConfig = memberEndpoint(network, service, ordinal);
    await docker.getNetwork(network.name).connect({ Container: container.id, EndpointConfig });
  }
  await container.update(engineLimits(limits));
  await start(container);
  return { kind: "done" };
}

/**
 * Ends a member cleanly: PostgreSQL writes a last checkpoint, and a primary gives the lead away. Container and volume
 * stay. One that does not end in time is killed, and the outcome says so; its data then recovers at the next start.
 */
export async function stopMember(context: Context, serviceId: string, ordinal: number): Promise<StepOutcome> {
  const container = context.docker.getContainer(context.names.member(serviceId, ordinal));
  if (!(await inspectOrNull(container))?.State.Running) return { kind: "done" };
  const abortSignal = AbortSignal.timeout((STOP_TIMEOUT_S + STOP_GRACE_S) * 1000);
  await unlessStatus([304, 404], () => container.stop({ t: STOP_TIMEOUT_S, abortSignal }));
  const ended = await inspectOrNull(container);
  return ended?.State.ExitCode === KILLED
    ? { kind: "failed", why: `member ${ordinal} was killed before it had ended cleanly` }
    : { kind: "done" };
}

/** Kills what can no longer be spoken to, and waits until the engine has seen it dead. */
export async function endMember(context: Context, serviceId: string, ordinal: number): Promise<StepOutcome> {
  await endAtOnce(context.docker.getContainer(context.names.member(serviceId, ordinal)));
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
  const network = await findGround(context, service);
  if (network) {
    const status = await patroniClient(
      network.addressOf("firstMember", ordinal),
      service.secrets.patroniPassword,
    ).status();
    if (status?.role === "primary")
      return { kind: "failed", why: `member ${ordinal} leads now and is not removed` };
  }
  const container = docker.getContainer(name);
  await unlessStatus([304, 404], () => container.stop({ t: REMOVAL_TIMEOUT_S }));
  await remove(container);
  await unlessStatus(404, () => docker.getVolume(name).remove());
  return { kind: "done" };
}

/** The addresses of a service's members that run. */
export async function runningMembers(
  context: Context,
  serviceId: string,
  network: ServiceNetwork,
): Promise<readonly string[]> {
  const { label } = serviceFilters(context, serviceId);
  const members = await context.docker.listContainers({
    filters: { label: [...label, `${LABEL.role}=member`] },
  });
  return members.map(({ Labels }) => network.addressOf("firstMember", Number(Labels[LABEL.ordinal])));
}

/** The period over which the kernel measures a CPU quota; its own default. */
const CPU_PERIOD_US = 100_000;
const NO_QUOTA = -1;

/** Limits in the engine's terms; no swap, so that memory means memory. */
export function engineLimits(
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
