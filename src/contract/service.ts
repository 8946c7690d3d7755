/** The Service record, as every operation on services returns it. */
import { type Static, Type } from "typebox";

export const ServiceType = Type.Union(
  [Type.Literal("TIMESERIESDB"), Type.Literal("POSTGRES"), Type.Literal("VECTOR")],
  { description: "Follows from the add-ons: time-series, none, or ai alone." },
);
export type ServiceType = Static<typeof ServiceType>;

export const ServiceStatus = Type.Union(
  [
    Type.Literal("QUEUED"),
    Type.Literal("CONFIGURING"),
    Type.Literal("READY"),
    Type.Literal("UNSTABLE"),
    Type.Literal("PAUSING"),
    Type.Literal("PAUSED"),
    Type.Literal("RESUMING"),
    Type.Literal("UPGRADING"),
    Type.Literal("OPTIMIZING"),
    Type.Literal("DELETING"),
    Type.Literal("DELETED"),
  ],
  { description: "What is true of the running database now." },
);
export type ServiceStatus = Static<typeof ServiceStatus>;

export const Environment = Type.Union([Type.Literal("DEV"), Type.Literal("PROD")]);
export type Environment = Static<typeof Environment>;

export const Addon = Type.Union([Type.Literal("time-series"), Type.Literal("ai")]);
export type Addon = Static<typeof Addon>;

const Endpoint = Type.Object({
  host: Type.Optional(Type.String()),
  port: Type.Optional(Type.Integer()),
});

const ConnectionPooler = Type.Object({ endpoint: Type.Optional(Endpoint) });

const Metadata = Type.Object({ environment: Type.Optional(Type.String()) });

const VpcEndpoint = Type.Object({
  host: Type.Optional(Type.String()),
  port: Type.Optional(Type.Integer()),
  vpc_id: Type.Optional(Type.String()),
});

const Resource = Type.Object({
  id: Type.Optional(Type.String()),
  spec: Type.Optional(
    Type.Object({
      cpu_millis: Type.Optional(Type.Integer({ description: "Millicores; absent for a shared size." })),
      memory_gbs: Type.Optional(Type.Integer({ description: "Gigabytes; absent for a shared size." })),
      volume_type: Type.Optional(Type.String()),
    }),
  ),
});

export const ReadReplicaSet = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    nodes: Type.Integer(),
    cpu_millis: Type.Integer(),
    memory_gbs: Type.Integer(),
    status: Type.Union([
      Type.Literal("creating"),
      Type.Literal("active"),
      Type.Literal("resizing"),
      Type.Literal("deleting"),
      Type.Literal("error"),
    ]),
    connection_pooler: Type.Optional(ConnectionPooler),
    endpoint: Type.Optional(Endpoint),
    metadata: Type.Optional(Metadata),
  },
  { title: "ReadReplicaSet" },
);
export type ReadReplicaSet = Static<typeof ReadReplicaSet>;

export const Service = Type.Object(
  {
    service_id: Type.String(),
    project_id: Type.String(),
    name: Type.String(),
    region_code: Type.String(),
    service_type: ServiceType,
    created: Type.String({ format: "date-time" }),
    status: ServiceStatus,
    resources: Type.Array(Resource),
    endpoint: Type.Optional(Endpoint),
    initial_password: Type.Optional(
      Type.String({ format: "password", description: "In the answer to a create alone, never again." }),
    ),
    ha_replicas: Type.Optional(
      Type.Object({
        replica_count: Type.Optional(Type.Integer()),
        sync_replica_count: Type.Optional(
          Type.Integer({ description: "How many of replica_count are synchronous." }),
        ),
      }),
    ),
    metadata: Type.Optional(Metadata),
    metrics: Type.Optional(
      Type.Object({
        memory_mb: Type.Optional(Type.Integer()),
        milli_cpu: Type.Optional(Type.Integer()),
        storage_mb: Type.Optional(Type.Integer()),
      }),
    ),
    connection_pooler: Type.Optional(ConnectionPooler),
    forked_from: Type.Optional(
      Type.Object({
        project_id: Type.Optional(Type.String()),
        service_id: Type.Optional(Type.String()),
        is_standby: Type.Optional(Type.Boolean()),
      }),
    ),
    read_replica_sets: Type.Optional(Type.Array(ReadReplicaSet)),
    vpc_endpoint: Type.Optional(VpcEndpoint),
    vpcEndpoint: Type.Optional(
      Type.Object(VpcEndpoint.properties, { deprecated: true, description: "The same as vpc_endpoint." }),
    ),
  },
  { title: "Service" },
);
export type Service = Static<typeof Service>;

/** The type that the add-ons decide. Left out, they mean time-series. */
export function serviceType(addons: readonly Addon[]): ServiceType {
  if (addons.includes("time-series")) return "TIMESERIESDB";
  return addons.includes("ai") ? "VECTOR" : "POSTGRES";
}
