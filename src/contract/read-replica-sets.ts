/** Read replica sets: nodes that follow a service's primary and are only ever read. */
import { type Static, Type } from "typebox";
import { ServiceName } from "./requests.ts";
import { ReadReplicaSet } from "./service.ts";

/** Of one service; each has places of its own in the service's network. */
export const MAX_READ_SETS = 8;
/** Of one set. */
export const MAX_READ_NODES = 8;
/** Of all sets of one service: each node is a stream that its primary sends. */
export const MAX_READ_NODES_IN_ALL = 24;

export const ReadReplicaSets = Type.Array(ReadReplicaSet);

const Nodes = Type.Integer({
  minimum: 1,
  maximum: MAX_READ_NODES,
  description: `How many nodes answer behind the set's endpoint, 1 to ${MAX_READ_NODES}.`,
  examples: [2],
});

export const CreateReadReplicaSetBody = Type.Object(
  {
    name: ServiceName,
    nodes: Nodes,
    cpu_millis: Type.Integer({ minimum: 1, description: "Millicores of each node.", examples: [500] }),
    memory_gbs: Type.Integer({ minimum: 1, description: "Gigabytes of each node.", examples: [2] }),
  },
  { additionalProperties: false, title: "CreateReadReplicaSet" },
);
export type CreateReadReplicaSetBody = Static<typeof CreateReadReplicaSetBody>;

/** Clients of the wider API send digits here, those that go by the record whole numbers. */
const amount = (what: string) =>
  Type.Unsafe<number | string>({
    type: ["integer", "string"],
    minimum: 1,
    pattern: "^[0-9]{1,9}$",
    description: `${what} of each node, as a whole number or in digits.`,
    examples: [1000],
  });

export const ResizeReadReplicaSetBody = Type.Object(
  {
    cpu_millis: Type.Optional(amount("Millicores")),
    memory_gbs: Type.Optional(amount("Gigabytes")),
    nodes: Type.Optional(Nodes),
  },
  { additionalProperties: false, minProperties: 1, title: "ResizeReadReplicaSet" },
);
export type ResizeReadReplicaSetBody = Static<typeof ResizeReadReplicaSetBody>;
