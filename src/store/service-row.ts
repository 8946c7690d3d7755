/** A service as the rest of the program sees its row. */
import type { Size } from "../contract/size.ts";
import type { ServiceRow } from "./schema.ts";

/** What is told of a service. Its secrets are not among it. */
export const SHOWN = [
  "id",
  "project_id",
  "name",
  "region_code",
  "addons",
  "environment",
  "created_at",
  "endpoint_host",
  "endpoint_port",
  "generation",
  "presence",
  "cpu_millis",
  "memory_gbs",
  "replica_count",
  "sync_replica_count",
  "status",
  "status_reason",
  "conditions",
] as const;

export type Service = Pick<ServiceRow, (typeof SHOWN)[number]>;

/** The part of a service that users can change. */
export interface Shape {
  readonly size: Size;
  readonly replicaCount: number;
  readonly syncReplicaCount: number;
}

export function sizeOf({ cpu_millis, memory_gbs }: Pick<ServiceRow, "cpu_millis" | "memory_gbs">): Size {
  return cpu_millis === null || memory_gbs === null
    ? { kind: "shared" }
    : { kind: "dedicated", cpuMillis: cpu_millis, memoryGbs: memory_gbs };
}

export function shapeOf(service: Service): Shape {
  return {
    size: sizeOf(service),
    replicaCount: service.replica_count,
    syncReplicaCount: service.sync_replica_count,
  };
}

export function shapeColumns({ size, replicaCount, syncReplicaCount }: Shape) {
  return {
    cpu_millis: size.kind === "shared" ? null : size.cpuMillis,
    memory_gbs: size.kind === "shared" ? null : size.memoryGbs,
    replica_count: replicaCount,
    sync_replica_count: syncReplicaCount,
  };
}

/** Whether more is asked of the region than before; only then its room matters. */
export function grows(before: Shape, after: Shape): boolean {
  if (after.replicaCount > before.replicaCount) return true;
  if (after.size.kind === "shared") return false;
  if (before.size.kind === "shared") return true;
  return after.size.cpuMillis > before.size.cpuMillis || after.size.memoryGbs > before.size.memoryGbs;
}
