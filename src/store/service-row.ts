/** A service as the rest of the program sees its row. */
import { EVERY_ADDRESS } from "../contract/cidr.ts";
import type { Size } from "../contract/size.ts";
import type { Power, ServiceRow, Sizing } from "./schema.ts";

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
  "pooler_port",
  "generation",
  "presence",
  "cpu_millis",
  "memory_gbs",
  "replica_count",
  "sync_replica_count",
  "power",
  "pooler",
  "allow_list",
  "parameters",
  "password_version",
  "forked_from",
  "read_from",
  "vpc_id",
  "deletion_protection",
  "settled_generation",
  "status",
  "status_reason",
  "conditions",
  "in_force",
] as const;

export type Service = Pick<ServiceRow, (typeof SHOWN)[number]>;

/** What its primary used a moment ago; null where that is not known. */
export interface ServiceUsage {
  readonly milli_cpu: number | null;
  readonly memory_mb: number | null;
  readonly storage_mb: number | null;
}

/** The part of a service that users change and that the reconciler makes true. */
export interface Shape extends Sizing {
  readonly replicaCount: number;
  readonly syncReplicaCount: number;
  readonly power: Power;
  readonly pooler: boolean;
  /** CIDRs in canonical form. */
  readonly allowList: readonly string[];
}

/** What a service begins with where nothing else is asked for: no replicas, open to every address. */
export function firstShape(size: Size): Shape {
  return {
    size,
    replicaCount: 0,
    syncReplicaCount: 0,
    power: "running",
    pooler: false,
    allowList: EVERY_ADDRESS,
    parameters: {},
  };
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
    power: service.power,
    pooler: service.pooler,
    allowList: service.allow_list,
    parameters: service.parameters,
  };
}

export function shapeColumns(shape: Shape) {
  return {
    ...sizingColumns(shape),
    replica_count: shape.replicaCount,
    sync_replica_count: shape.syncReplicaCount,
    power: shape.power,
    pooler: shape.pooler,
    allow_list: [...shape.allowList],
  };
}

export function sizingColumns({ size, parameters }: Sizing) {
  return {
    cpu_millis: size.kind === "shared" ? null : size.cpuMillis,
    memory_gbs: size.kind === "shared" ? null : size.memoryGbs,
    parameters: JSON.stringify(parameters),
  };
}

/** Whether something changes that the read replica sets of the service have from it. */
export function concernsSets(before: Shape, after: Shape): boolean {
  const inherited = ({ allowList, parameters }: Shape) =>
    JSON.stringify([allowList, Object.entries(parameters).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
  return inherited(before) !== inherited(after);
}

/** Whether more is asked of the region than before; only then its room matters. */
export function grows(before: Shape, after: Shape): boolean {
  if (after.replicaCount > before.replicaCount) return true;
  if (after.size.kind === "shared") return false;
  if (before.size.kind === "shared") return true;
  return after.size.cpuMillis > before.size.cpuMillis || after.size.memoryGbs > before.size.memoryGbs;
}

/** What an event tells of a change: the fields that differ, as the API calls them. */
export function changesOf(
  before: Shape,
  after: Shape,
): Readonly<Record<string, { from: unknown; to: unknown }>> {
  const [from, to] = [told(before), told(after)];
  return Object.fromEntries(
    Object.entries(to).flatMap(([field, value]) => {
      const was = new Map(Object.entries(from)).get(field) ?? null;
      return JSON.stringify(was) === JSON.stringify(value) ? [] : [[field, { from: was, to: value }]];
    }),
  );
}

/** A shape in the words of the API. */
export function told({ size, replicaCount, syncReplicaCount, power, pooler, allowList, parameters }: Shape) {
  return {
    cpu_millis: size.kind === "shared" ? "shared" : size.cpuMillis,
    memory_gbs: size.kind === "shared" ? "shared" : size.memoryGbs,
    replica_count: replicaCount,
    sync_replica_count: syncReplicaCount,
    power,
    pooler,
    allow_list: allowList,
    parameters,
  };
}
