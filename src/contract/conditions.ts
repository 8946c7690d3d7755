/** What is true of a service beyond its status, in the form that Kubernetes made common. */
import { type Static, Type } from "typebox";

export const ConditionType = Type.Union(
  [Type.Literal("Available"), Type.Literal("Replicated"), Type.Literal("Settled")],
  {
    description:
      "Available: the primary takes writes. Replicated: every replica asked for streams, the synchronous ones " +
      "synchronously. Settled: nothing that was asked for is still to be done.",
  },
);
export type ConditionType = Static<typeof ConditionType>;

export const Condition = Type.Object(
  {
    type: ConditionType,
    status: Type.Union([Type.Literal("True"), Type.Literal("False"), Type.Literal("Unknown")]),
    reason: Type.String({ description: "One word for programs, such as ReplicasStreaming." }),
    message: Type.String({ description: "A sentence for people." }),
    since: Type.String({ format: "date-time" }),
  },
  { title: "Condition" },
);
export type Condition = Static<typeof Condition>;
