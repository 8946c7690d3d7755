/** From rows to records. Pure. */
import { type Service as Record, serviceType } from "../contract/service.ts";
import type { Service, ServiceUsage } from "../store/service-row.ts";

const VOLUME_TYPE = "local";

export interface VpcEndpoint {
  readonly host: string;
  readonly port: number;
  readonly vpc_id: string;
}

/**
 * The Service record. Size and replica counts are those that were asked for last; `status` tells whether they are in
 * force yet.
 */
export function presentService(
  service: Service & Partial<ServiceUsage>,
  more: { readonly initialPassword?: string; readonly vpcEndpoint?: VpcEndpoint } = {},
): Record {
  const { cpu_millis, memory_gbs } = service;
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
    ...usageOf(service),
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
    ...(more.vpcEndpoint === undefined
      ? {}
      : { vpc_endpoint: more.vpcEndpoint, vpcEndpoint: more.vpcEndpoint }),
  };
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
