/** The nodes of a service as they were observed last. What is not known is left out. */
import { type Static, Type } from "typebox";
import type { NodeRole } from "./metrics.ts";

const NodeState = Type.Union(
  [
    Type.Literal("running"),
    Type.Literal("starting"),
    Type.Literal("silent"),
    Type.Literal("stopped"),
    Type.Literal("frozen"),
    Type.Literal("cut off"),
    Type.Literal("absent"),
  ],
  {
    description:
      "running: its PostgreSQL answers. starting: it has no whole database yet. silent: it runs, and its PostgreSQL does " +
      "not answer. frozen: paused in the engine. cut off: not in its service's network. absent: it is still to be made.",
  },
);

export const Node = Type.Object(
  {
    name: Type.String({ description: "As metrics and logs call it." }),
    ordinal: Type.Integer(),
    state: NodeState,
    role: Type.Unsafe<NodeRole | null>({
      type: ["string", "null"],
      enum: ["primary", "replica", null],
      description: "null: it does not answer.",
    }),
    synchronous: Type.Boolean({ description: "Whether commits were seen to wait for it." }),
    streaming: Type.Boolean({ description: "Whether it was seen to stream from the primary." }),
    lag_bytes: Type.Optional(Type.Integer({ description: "WAL that it has still to replay." })),
    lag_seconds: Type.Optional(
      Type.Number({ description: "How long it takes to replay what its primary writes." }),
    ),
    cpu_millis: Type.Optional(
      Type.Integer({ description: "The limit in force, in millicores. Left out: there is none." }),
    ),
    memory_gbs: Type.Optional(Type.Number({ description: "The limit in force." })),
  },
  { title: "Node" },
);
export type Node = Static<typeof Node>;

const COMMON = {
  as_of: Type.Optional(
    Type.String({
      format: "date-time",
      description: "When it was observed. Left out: nothing was observed yet.",
    }),
  ),
  nodes: Type.Array(Node, { description: "In order of their ordinals." }),
  gateway: Type.Optional(
    Type.Object({
      state: Type.Union([Type.Literal("absent"), Type.Literal("stopped"), Type.Literal("running")]),
      serving: Type.Boolean({ description: "Whether it leads to a node now." }),
    }),
  ),
  pooler: Type.Object({
    enabled: Type.Boolean({ description: "Whether it is wanted." }),
    answers: Type.Optional(Type.Boolean({ description: "Whether the gateway reaches it." })),
  }),
};

export const ReadNodes = Type.Object(
  { id: Type.String(), name: Type.String(), ...COMMON, wanted: Type.Object({ nodes: Type.Integer() }) },
  { title: "ReadNodes" },
);
export type ReadNodes = Static<typeof ReadNodes>;

export const ServiceNodes = Type.Object(
  {
    ...COMMON,
    read_replica_sets: Type.Array(ReadNodes, { description: "In the order they were created." }),
    wanted: Type.Object(
      {
        nodes: Type.Integer({ description: "Of the service itself: the primary, and every replica." }),
        replica_count: Type.Optional(Type.Integer()),
        sync_replica_count: Type.Optional(Type.Integer()),
      },
      { description: "What was asked for. A read replica set has no replicas." },
    ),
  },
  { title: "ServiceNodes" },
);
export type ServiceNodes = Static<typeof ServiceNodes>;
