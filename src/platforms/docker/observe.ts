/** What is there of a service now: containers, volumes and network by the engine, the rest by the members themselves. */
import type Docker from "dockerode";
import { SHARED_SIZE } from "../../contract/size.ts";
import type {
  ClusterConfiguration,
  ObservedMember,
  ObservedPostgres,
  ObservedReplication,
  ObservedRoles,
  ObservedService,
} from "../../planner/observed.ts";
import { settingsFor } from "../../planner/settings.ts";
import type { ServiceIdentity } from "../platform.ts";
import { conditionOf, inspectOrNull } from "./container.ts";
import { type Context, serviceFilters } from "./context.ts";
import { observeCopy } from "./copy-parent.ts";
import { limitsOf } from "./member.ts";
import { LABEL, memberName, patroniName } from "./names.ts";
import { findGround, type ServiceNetwork } from "./network.ts";
import { observeEndpoint } from "./observe-endpoint.ts";
import { patroniClient } from "./patroni-client.ts";
import type { AgreedSync, DynamicConfiguration } from "./patroni-keys.ts";
import type { PostgresProbe, Probed } from "./postgres-probe.ts";
import { SYSTEM_VERSION } from "./system-sql.ts";

/** The names of all settings that are managed. */
const SETTINGS: readonly string[] = Object.keys(settingsFor(SHARED_SIZE, {}));

export async function observe(
  context: Context,
  probe: PostgresProbe,
  service: ServiceIdentity,
): Promise<ObservedService> {
  const { docker, names } = context;
  const filters = serviceFilters(context, service.serviceId);
  const [containers, volumes, network, agreed] = await Promise.all([
    docker.listContainers({ all: true, filters }),
    docker.listVolumes({ filters }),
    findGround(context, service),
    context.coordination.read(service.readsFrom?.serviceId ?? service.serviceId),
  ]);
  const volumeNames = new Set(volumes.Volumes.map(({ Name }) => Name));
  const [endpoint, copy, members] = await Promise.all([
    observeEndpoint(context, containers, volumes.Volumes, network),
    observeCopy(docker, containers, volumes.Volumes),
    Promise.all(
      ordinalsIn(containers, volumes.Volumes).map((ordinal) =>
        observeMember(context, probe, service, ordinal, volumeNames, containers, network),
      ),
    ),
  ]);
  const primary = members.find(({ probed }) => probed && !probed.in_recovery)?.probed ?? null;
  return {
    foundation: network ? (network.attached.has(names.etcd) ? "present" : "partial") : "absent",
    ...endpoint,
    members: members.map(({ member, probed }) => ({
      ...(service.readsFrom === null
        ? withReplication(member, primary?.standbys ?? null, agreed.sync)
        : withReception(member, probed)),
      ...(agreed.unfinished.has(patroniName(service, member.ordinal)) ? { hasDatabase: false } : {}),
    })),
    configuration: agreed.configuration && clusterConfiguration(agreed.configuration),
    roles: primary && observedRoles(primary),
    copy,
  };
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
  const inspected = found ? await inspectOrNull(docker.getContainer(found.Id)) : null;
  // One that was created and never started may lack its files: creating it again completes it.
  if (!inspected || inspected.State.Status === "created") {
    return {
      member: { ordinal, hasVolume, container: "absent", endedAtMs: null, limits: null, postgres: null },
      probed: null,
    };
  }
  const { State, NetworkSettings } = inspected;
  const container = conditionOf(
    { isPaused: State.Paused, isRunning: State.Running },
    !network || network.name in NetworkSettings.Networks,
  );
  const limits = limitsOf(inspected.HostConfig);
  const endedAtMs = container === "stopped" ? endOf(State) : null;
  if (container !== "running" || !network) {
    return { member: { ordinal, hasVolume, container, endedAtMs, limits, postgres: null }, probed: null };
  }
  const address = network.addressOf("firstMember", ordinal);
  const probed = await probe.read(inspected.Id, address, service.secrets.monitorPassword, SETTINGS);
  // PostgreSQL is asked first: while it starts, Patroni has better to do than to answer.
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
          storage: probed.storage_low ? "low" : "enough",
          replication: null,
        }
      : null;
  return { member: { ordinal, hasVolume, container, endedAtMs, limits, postgres }, probed };
}

/** The engine tells of the first day of all days where a container has never ended. */
function endOf({ FinishedAt }: Docker.ContainerInspectInfo["State"]): number | null {
  const atMs = Date.parse(FinishedAt);
  return atMs > 0 ? atMs : null;
}

function observedRoles({ applied }: Probed): ObservedRoles {
  return {
    current: applied?.system_version === SYSTEM_VERSION,
    passwordVersion: applied?.password_version ?? 0,
  };
}

/** How a replica stands is what its primary says of it. */
function withReplication(
  member: ObservedMember,
  standbys: Probed["standbys"] | null,
  sync: AgreedSync | null,
): ObservedMember {
  if (!member.postgres || member.postgres.role === "primary" || !standbys) return member;
  const own = memberName(member.ordinal);
  const standby = standbys.find(({ name }) => name === own);
  const trusted = sync?.standbys.includes(own) ?? false;
  const replication: ObservedReplication = standby
    ? {
        state: standby.state === "streaming" ? "streaming" : "catching up",
        synchronous: standby.synchronous,
        trusted,
        lagBytes: standby.lag_bytes,
      }
    : { state: "disconnected", synchronous: false, trusted, lagBytes: null };
  return { ...member, postgres: { ...member.postgres, replication } };
}

/** How one that only reads stands, it says itself: nothing depends on what its primary thinks of it. */
function withReception(member: ObservedMember, probed: Probed | null): ObservedMember {
  if (!member.postgres) return member;
  const receiver = probed?.receiver ?? null;
  const replication: ObservedReplication = {
    state: receiver === null ? "disconnected" : receiver.state === "streaming" ? "streaming" : "catching up",
    synchronous: false,
    trusted: false,
    lagBytes: receiver?.lag_bytes ?? null,
  };
  return { ...member, postgres: { ...member.postgres, replication } };
}

function clusterConfiguration(dynamic: DynamicConfiguration): ClusterConfiguration {
  const parameters = dynamic.postgresql?.parameters ?? {};
  const settings = SETTINGS.flatMap((name) =>
    parameters[name] === undefined ? [] : [[name, String(parameters[name])]],
  );
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
