/** From rows to records. Pure. */
import { type Service as Record, serviceType } from "../contract/service.ts";
import { type Peering, type PeeringStatus, VPC_PORT, type Vpc, vpcHost } from "../contract/vpcs.ts";
import type { PeeringRow } from "../store/peerings.ts";
import type { Service } from "../store/service-row.ts";
import type { VpcRow } from "../store/vpcs.ts";

const VOLUME_TYPE = "local";

/**
 * The Service record. Size and replica counts are those that were asked for last; `status` tells whether they are in
 * force yet.
 */
export function presentService(service: Service, more: { readonly initialPassword?: string } = {}): Record {
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
    ha_replicas: {
      replica_count: service.replica_count,
      sync_replica_count: service.sync_replica_count,
    },
    metadata: { environment: service.environment },
    read_replica_sets: [],
    ...(service.pooler
      ? { connection_pooler: { endpoint: { host: service.endpoint_host, port: service.pooler_port } } }
      : {}),
    ...(service.forked_from === null
      ? {}
      : {
          forked_from: {
            project_id: service.project_id,
            service_id: service.forked_from,
            is_standby: false,
          },
        }),
    ...(more.initialPassword === undefined ? {} : { initial_password: more.initialPassword }),
    // The second name is deprecated, and both are promised.
    ...(vpcEndpoint === null ? {} : { vpc_endpoint: vpcEndpoint, vpcEndpoint }),
  };
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
