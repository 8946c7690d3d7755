/** From rows to records. Pure. */
import { type ReadReplicaSet, type Service as Record, serviceType } from "../contract/service.ts";
import { type Peering, type PeeringStatus, VPC_PORT, type Vpc, vpcHost } from "../contract/vpcs.ts";
import type { PeeringRow } from "../store/peerings.ts";
import type { Service, ServiceUsage } from "../store/service-row.ts";
import type { VpcRow } from "../store/vpcs.ts";

const VOLUME_TYPE = "local";

/**
 * The Service record. Size and replica counts are those that were asked for last; `status` tells whether they are in
 * force yet.
 */
export function presentService(
  service: Service & Partial<ServiceUsage>,
  more: {
    readonly initialPassword?: string;
    readonly readReplicaSets?: readonly Service[];
  } = {},
): Record {
  const { cpu_millis, memory_gbs } = service;
  const vpcEndpoint = presentVpcEndpoint(service);
  const size = cpu_millis === null || memory_gbs === null ? {} : { cpu_millis, memory_gbs };
  return {
    service_id: service.id,
    project_id: service.project_id,
    name: service.name,
    region_code: service.region_code,
    service_type: serviceType(service.addons),
    created: service.created_at.toISOString(),
    status: service.status,
    resources: [{ id: service.id, spec: { ...size, volume_type: VOLUME_TYPE } }],
    endpoint: { host: service.endpoint_host, port: service.endpoint_port },
    // The nodes of a read replica set are no replicas of each other.
    ...(service.read_from === null
      ? {
          ha_replicas: {
            replica_count: service.replica_count,
            sync_replica_count: service.sync_replica_count,
          },
        }
      : {}),
    metadata: { environment: service.environment },
    ...usageOf(service),
    read_replica_sets: (more.readReplicaSets ?? []).map(presentReadReplicaSet),
    ...poolerOf(service),
    ...originOf(service),
    ...(more.initialPassword === undefined ? {} : { initial_password: more.initialPassword }),
    // The second name is deprecated, and both are promised.
    ...(vpcEndpoint === null ? {} : { vpc_endpoint: vpcEndpoint, vpcEndpoint }),
  };
}

/** A read replica set as its service's record has it. */
export function presentReadReplicaSet(set: Service): ReadReplicaSet {
  return {
    id: set.id,
    name: set.name,
    nodes: 1 + set.replica_count,
    cpu_millis: set.cpu_millis ?? 0,
    memory_gbs: set.memory_gbs ?? 0,
    status: setStatus(set),
    endpoint: { host: set.endpoint_host, port: set.endpoint_port },
    metadata: { environment: set.environment },
    ...poolerOf(set),
  };
}

/** What the work on a set says while all is well with it. */
const ON_ITS_WAY: readonly string[] = ["Working", "Waiting", "AsAsked"];

function setStatus({ presence, status, settled_generation, conditions }: Service): ReadReplicaSet["status"] {
  if (presence === "absent") return "deleting";
  if (status === "READY") return "active";
  const condition = (type: string) => conditions.find((each) => each.type === type);
  const settled = condition("Settled");
  if (settled && !ON_ITS_WAY.includes(settled.reason)) return "error";
  // While its service fails over, or one node of several comes back, the others answer.
  if (status === "UNSTABLE") return condition("Available")?.status === "True" ? "active" : "error";
  return settled_generation === 0 ? "creating" : "resizing";
}

function poolerOf({ pooler, endpoint_host: host, pooler_port: port }: Service) {
  return pooler ? { connection_pooler: { endpoint: { host, port } } } : {};
}

function originOf({ project_id, forked_from, read_from }: Service) {
  const parentId = forked_from ?? read_from;
  if (parentId === null) return {};
  return { forked_from: { project_id, service_id: parentId, is_standby: read_from !== null } };
}

/** Where it is reached in its VPC, once it was seen to be. */
function presentVpcEndpoint({ id, in_force }: Service) {
  const vpc = in_force?.vpc;
  return vpc ? { host: vpcHost(id), port: VPC_PORT, vpc_id: vpc.vpcId } : null;
}

export function presentVpc({ id, name, cidr, region_code }: VpcRow): Vpc {
  return { id: String(id), name, cidr, region_code };
}

export function presentPeering(peering: PeeringRow): Peering {
  const { id, peer_account_id, peer_region_code, peer_vpc_id, network_id, problem } = peering;
  const trouble = problem ?? whyPending(peering);
  return {
    id: String(id),
    peer_account_id,
    peer_region_code,
    peer_vpc_id,
    ...(network_id === null ? {} : { provisioned_id: network_id }),
    status: peeringStatus(peering),
    ...(trouble === null ? {} : { error_message: trouble }),
  };
}

function whyPending({ network_id, unreached }: PeeringRow): string | null {
  return network_id === null || unreached === 0
    ? null
    : `services of the VPC that are not reached by it yet: ${unreached}; their events tell why`;
}

function peeringStatus({ network_id, problem, unreached }: PeeringRow): PeeringStatus {
  if (problem !== null) return "FAILED";
  return network_id !== null && unreached === 0 ? "ACTIVE" : "PENDING";
}

/** Left out where nothing is known of now: before the first samples, and while nobody leads. */
function usageOf({ milli_cpu, memory_mb, storage_mb }: Partial<ServiceUsage>): Pick<Record, "metrics"> {
  const metrics = {
    ...(typeof memory_mb === "number" ? { memory_mb } : {}),
    ...(typeof milli_cpu === "number" ? { milli_cpu } : {}),
    ...(typeof storage_mb === "number" ? { storage_mb } : {}),
  };
  return Object.keys(metrics).length === 0 ? {} : { metrics };
}
