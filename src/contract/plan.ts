/** What is still to be done for a service, or would be done for a change, and what clients would notice of it. */
import { type Static, Type } from "typebox";

export const Interruption = Type.Object(
  {
    kind: Type.Union([Type.Literal("none"), Type.Literal("reconnect"), Type.Literal("outage")], {
      description:
        "On the direct endpoint. none: no session ends. reconnect: sessions end once, and can reconnect at once. outage: " +
        "sessions end, and nobody is served for some seconds, or for longer where `seconds` is left out.",
    }),
    seconds: Type.Optional(
      Type.Integer({
        description:
          "For about how many seconds nobody takes writes, as it was measured, rounded up. Left out: for none, or nobody can say.",
      }),
    ),
    pooled: Type.Optional(
      Type.Union([Type.Literal("none"), Type.Literal("wait"), Type.Literal("outage")], {
        description:
          "Of transactions through the pooler's `tsdb_transaction`. wait: they take longer, and do not fail. outage: " +
          "they fail. Left out: there is no pooler.",
      }),
    ),
    message: Type.String({ description: "The same in words, for people." }),
  },
  { title: "Interruption" },
);
export type Interruption = Static<typeof Interruption>;

export const PlannedStep = Type.Object(
  {
    kind: Type.String({ description: "Such as createMember, restartPostgres, switchover; or wait." }),
    message: Type.String({ description: "What is done or waited for, as the events tell it." }),
    member: Type.Optional(Type.Integer({ description: "The ordinal of the member that it is done to." })),
    interruption: Type.Union([Type.Literal("none"), Type.Literal("reconnect"), Type.Literal("outage")], {
      description: "What clients of the direct endpoint notice of it.",
    }),
  },
  { title: "PlannedStep" },
);
export type PlannedStep = Static<typeof PlannedStep>;

export const WaitingFor = Type.Object(
  {
    reason: Type.String({
      description:
        "One word for programs, such as replication, data-missing, platform; `step:` and the kind of a step that has " +
        "begun, or that fails and is tried again.",
    }),
    message: Type.String({ description: "A sentence for people." }),
    since: Type.String({ format: "date-time" }),
    overdue: Type.Boolean({ description: "Whether it takes longer than it should." }),
  },
  { title: "WaitingFor" },
);

export type WaitingFor = Static<typeof WaitingFor>;

export const Plan = Type.Object(
  {
    dry_run: Type.Boolean({ description: "Whether it is about a change that was not made." }),
    as_of: Type.Optional(
      Type.String({
        format: "date-time",
        description: "When what it starts from was observed. Left out: nothing was observed yet.",
      }),
    ),
    outlook: Type.Union(
      [Type.Literal("settled"), Type.Literal("settles"), Type.Literal("blocked"), Type.Literal("unknown")],
      {
        description:
          "settled: nothing is to be done. settles: after the steps, everything that was asked for is in force. blocked: " +
          "the last step waits for what the service cannot bring about itself. unknown: nothing was observed yet, or " +
          "what follows cannot be foreseen.",
      },
    ),
    message: Type.String({ description: "The outlook in a sentence, for people." }),
    since: Type.Optional(
      Type.String({
        format: "date-time",
        description: "Since when something has been left to do. Left out: nothing is.",
      }),
    ),
    waiting_for: Type.Optional(WaitingFor),
    steps: Type.Array(PlannedStep, {
      description:
        "In their order, where nothing comes between. A service goes on by itself where something does.",
    }),
    interruption: Type.Optional(Interruption),
  },
  { title: "Plan" },
);
export type Plan = Static<typeof Plan>;
