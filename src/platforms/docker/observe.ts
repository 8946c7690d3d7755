/** What is there of a service now: containers, volumes and network by the engine, the rest by the members themselves. */
import type Docker from "dockerode";
import { SHARED_SIZE } from "../../contract/size.ts";
import type {
  ClusterConfiguration,
  ObservedGateway,
  ObservedMember,
  ObservedPostgres,
  ObservedReplication,
  ObservedService,
} from "../../planner/observed.ts";
import { type PostgresSettings, settingsForSize } from "../../planner/settings.ts";
import type { ServiceIdentity } from "../platform.ts";
import { statusCode } from "./container.ts";
import { type Context, serviceFilters } from "./context.ts";
import type { DynamicConfiguration } from "./coordination.ts";
import { isServing } from "./gateway.ts";
import { limitsOf } from "./member.ts";
import { LABEL, memberName } from "./names.ts";
import { findNetwork, type ServiceNetwork } from "./network.ts";
import { patroniClient } from "./patroni-client.ts";
import type { PostgresProbe, Probed } from "./postgres-probe.ts";

/** The names of the settings that follow the size; their values here mean nothing. */
const FOLLOWING: PostgresSettings = settingsForSize(SHARED_SIZE);

export async function observe(
  context: Context,
  probe: PostgresProbe,
  service: ServiceIdentity,
): Promise<ObservedService> {
  const { docker, names } = context;
  const filters = serviceFilters(context, service.serviceId);
  const [containers, volumes, network, configuration] = await Promise.all([
    docker.listContainers({ all: true, filters }),
    docker.listVolumes({ filters }),
    findNetwork(docker, names.network(service.serviceId)),
    context.coordination.configuration(service.serviceId),
  ]);
  const volumeNames = new Set(volumes.Volumes.map(({ Name }) => Name));
  const [gateway, members] = await Promise.all([
    observeGateway(docker, containers, network),
    Promise.all(
      ordinalsIn(containers, volumes.Volumes).map((ordinal) =>
        observeMember(context, probe, service, ordinal, volumeNames, containers, network),
      ),
    ),
  ]);
  const standbys = members.find(({ probed }) => probed && !probed.in_recovery)?.probed?.standbys ?? null;
  return {
    foundation: network ? (network.attached.has(names.etcd) ? "present" : "partial") : "absent",
    gateway,
    members: members.map(({ member }) => withReplication(member, standbys)),
    configuration: configuration && clusterConfiguration(configuration),
  };
}

async function observeGateway(
  docker: Docker,
  containers: readonly Docker.ContainerInfo[],
  network: ServiceNetwork | null,
): Promise<ObservedGateway> {
  const found = containers.find(({ Labels }) => Labels[LABEL.role] === "gateway");
  if (!found) return { state: "absent", serving: false };
  if (found.State === "running") {
    return { state: "running", serving: network !== null && (await isServing(network.addressOf("gateway"))) };
  }
  const problem = await docker
    .getContainer(found.Id)
    .inspect()
    .then(
      ({ State }) => State.Error,
      () => "",
    );
  return { state: "stopped", serving: false, ...(problem ? { problem } : {}) };
}

interface MemberReading {
  readonly member: ObservedMember;
  readonly probed: Probed | null;
}

async function observeMember(
  context: Context,
  probe: PostgresProbe,
  service: ServiceIdentity,
  ordinal: number,
  volumes: ReadonlySet<string>,
  containers: readonly Docker.ContainerInfo[],
  network: ServiceNetwork | null,
): Promise<MemberReading> {
  const { docker, names } = context;
  const hasVolume = volumes.has(names.member(service.serviceId, ordinal));
  const found = containers.find(({ Labels }) => Labels[LABEL.ordinal] === String(ordinal));
  const inspected = found ? await inspectOrNull(docker, found.Id) : null;
  // One that was created and never started may lack its files: creating it again completes it.
  if (!inspected || inspected.State.Status === "created") {
    return {
      member: { ordinal, hasVolume, container: "absent", limits: null, postgres: null },
      probed: null,
    };
  }
  const container = inspected.State.Paused ? "frozen" : inspected.State.Running ? "running" : "stopped";
  const limits = limitsOf(inspected.HostConfig);
  if (container !== "running" || !network) {
    return { member: { ordinal, hasVolume, container, limits, postgres: null }, probed: null };
  }
  const address = network.addressOf("firstMember", ordinal);
  // PostgreSQL is asked first: while it starts, Patroni has better to do than to answer.
  const probed = await probe.read(inspected.Id, address, service.secrets.monitorPassword, FOLLOWING);
  const status = probed ? await patroniClient(address, service.secrets.patroniPassword).status() : null;
  // A server that runs without Patroni's word, or against it, is not one to rely on.
  const leads = status?.role === "primary";
  const postgres: ObservedPostgres | null =
    status && probed
      ? {
          role: probed.in_recovery ? "replica" : "primary",
          writable: !probed.in_recovery && leads,
          timeline: status.timeline ?? 0,
          settings: probed.settings,
          replication: null,
        }
      : null;
  return { member: { ordinal, hasVolume, container, limits, postgres }, probed };
}

async function inspectOrNull(docker: Docker, id: string): Promise<Docker.ContainerInspectInfo | null> {
  try {
    return await docker.getContainer(id).inspect();
  } catch (error) {
    if (statusCode(error) === 404) return null;
    throw error;
  }
}

/** How a replica stands is what its primary says of it. */
function withReplication(member: ObservedMember, standbys: Probed["standbys"] | null): ObservedMember {
  if (!member.postgres || member.postgres.role === "primary" || !standbys) return member;
  const standby = standbys.find(({ name }) => name === memberName(member.ordinal));
  const replication: ObservedReplication = standby
    ? {
        state: standby.state === "streaming" ? "streaming" : "catching up",
        synchronous: standby.synchronous,
        lagBytes: standby.lag_bytes,
      }
    : { state: "disconnected", synchronous: false, lagBytes: null };
  return { ...member, postgres: { ...member.postgres, replication } };
}

function clusterConfiguration(dynamic: DynamicConfiguration): ClusterConfiguration {
  const parameters = dynamic.postgresql?.parameters ?? {};
  const settings = Object.keys(FOLLOWING).map((name) => [name, String(parameters[name] ?? "")]);
  return {
    settings: Object.fromEntries(settings),
    syncReplicaCount: dynamic.synchronous_mode ? (dynamic.synchronous_node_count ?? 1) : 0,
  };
}

function ordinalsIn(
  containers: readonly Docker.ContainerInfo[],
  volumes: readonly { Labels: Record<string, string> }[],
): number[] {
  const ordinals = [...containers, ...volumes].flatMap(({ Labels }) => {
    const label = Labels?.[LABEL.ordinal];
    return label === undefined ? [] : [Number(label)];
  });
  return [...new Set(ordinals)].sort((a, b) => a - b);
}
