/** The whole installation, for whoever operates it: over all of its projects. */
import { type Static, Type } from "typebox";
import { WaitingFor } from "./plan.ts";

const time = (description?: string) =>
  Type.String({ format: "date-time", ...(description === undefined ? {} : { description }) });

/** The most that is told of each kind; counts beside them are of all. */
export const MOST_TOLD = 100;

const Amounts = Type.Object({
  capacity: Type.Integer({ description: "What the machine has." }),
  promised: Type.Integer({ description: "The sum over all members of all services." }),
  promisable: Type.Integer({ description: "What may be promised: the capacity times the overcommit." }),
  left: Type.Integer({ description: "What can still be promised." }),
  in_use: Type.Optional(
    Type.Integer({ description: "By all nodes, as sampled last. Left out: nothing was sampled lately." }),
  ),
});

export const OperatorRegion = Type.Object(
  {
    code: Type.String(),
    cpu_millis: Amounts,
    memory_mb: Amounts,
    storage_mb: Type.Optional(
      Type.Object(
        {
          total: Type.Integer(),
          available: Type.Integer({ description: "Of that disk, for everything that is on it." }),
          in_use: Type.Integer({ description: "By the databases and their WAL." }),
        },
        { description: "The disk that the data is on. Left out: no node was sampled lately." },
      ),
    ),
    services: Type.Integer({ description: "Read replica sets count too." }),
    members: Type.Integer({ description: "That are promised, nodes of read replica sets among them." }),
    spare_ports: Type.Integer({ description: "Endpoint ports ready for services to come." }),
    engine: Type.Object({
      answers: Type.Boolean(),
      since: Type.Optional(time("Since when it does not answer.")),
      message: Type.Optional(Type.String({ description: "Why it does not answer, in a sentence." })),
      reported_at: time("When it last told what it has."),
    }),
  },
  { title: "OperatorRegion" },
);
export type OperatorRegion = Static<typeof OperatorRegion>;

export const JobState = Type.Union(
  [
    Type.Literal("queued"),
    Type.Literal("working"),
    Type.Literal("waiting"),
    Type.Literal("overdue"),
    Type.Literal("failing"),
    Type.Literal("unreachable"),
  ],
  {
    description:
      "queued: nobody has looked at it since it was changed. working: a step is done. waiting: for what the service brings " +
      "about itself. overdue: that takes longer than it should. failing: a step fails or shows no effect, and is tried " +
      "again. unreachable: its platform does not answer.",
  },
);
export type JobState = Static<typeof JobState>;

export const OperatorJob = Type.Object(
  {
    service_id: Type.String(),
    name: Type.String(),
    project: Type.Object({ id: Type.String(), name: Type.String() }),
    region_code: Type.String(),
    status: Type.String({ description: "As the service's record has it." }),
    state: JobState,
    message: Type.String({ description: "What is done, waited for or in the way, in a sentence." }),
    since: time("Since when something has been left to do."),
    waiting_for: Type.Optional(WaitingFor),
    failures: Type.Integer({ description: "Tries in a row that have failed or shown no effect." }),
    next_look: Type.Optional(time("When it is looked at next. Left out: it is being looked at.")),
    lease: Type.Optional(
      Type.Object(
        { holder: Type.String(), expires_at: time() },
        { description: "Which process looks at it at this moment." },
      ),
    ),
  },
  { title: "OperatorJob" },
);
export type OperatorJob = Static<typeof OperatorJob>;

export const OperatorFailure = Type.Object(
  {
    id: Type.String(),
    at: time(),
    project: Type.Object({ id: Type.String(), name: Type.String() }),
    service: Type.Optional(
      Type.Object({
        id: Type.String(),
        name: Type.Optional(Type.String({ description: "Left out: the service is gone." })),
      }),
    ),
    type: Type.String(),
    message: Type.String(),
  },
  { title: "OperatorFailure" },
);
export type OperatorFailure = Static<typeof OperatorFailure>;

export const OperatorWebhook = Type.Object(
  {
    id: Type.String(),
    project: Type.Object({ id: Type.String(), name: Type.String() }),
    host: Type.String({ description: "Of its URL, whose rest may be a secret." }),
    enabled: Type.Boolean(),
    disabled_reason: Type.Optional(Type.String()),
    failures: Type.Integer({ description: "How many tries have failed since the last that did not." }),
    rests_until: Type.Optional(time()),
    waiting: Type.Integer({ description: "Deliveries that are still to be made." }),
  },
  { title: "OperatorWebhook" },
);
export type OperatorWebhook = Static<typeof OperatorWebhook>;

export const OperatorOverview = Type.Object(
  {
    at: time("When all of this was true."),
    control_plane: Type.Object({
      version: Type.String(),
      started_at: time(),
      state_database: Type.Object({
        version: Type.String(),
        size_mb: Type.Integer(),
        latency_ms: Type.Number({ description: "How long the smallest question to it took just now." }),
      }),
      settings: Type.Array(
        Type.Object({
          name: Type.String({ description: "The environment variable." }),
          value: Type.String(),
          meaning: Type.String(),
        }),
      ),
    }),
    regions: Type.Array(OperatorRegion),
    jobs: Type.Object({
      total: Type.Integer(),
      by_state: Type.Record(Type.String(), Type.Integer(), { description: "How many are in each state." }),
      first: Type.Array(OperatorJob, { description: `The ${MOST_TOLD} that have waited longest.` }),
    }),
    failures: Type.Object({
      since: time("The beginning of the time that is told of: a day."),
      newest: Type.Array(OperatorFailure, { description: `At most ${MOST_TOLD}, newest first.` }),
    }),
    webhooks: Type.Array(OperatorWebhook, {
      description: `Those that fail or were disabled for it, at most ${MOST_TOLD}.`,
    }),
  },
  { title: "OperatorOverview" },
);
export type OperatorOverview = Static<typeof OperatorOverview>;
