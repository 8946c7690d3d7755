/**
 * What is taken for an answer: the contract's records, read so that an API newer than this client does not break it. A
 * field more is fine everywhere; here are the words that may grow in number.
 */
import { type Static, Type } from "typebox";
import { type Role, SignedIn } from "../contract/account.ts";
import { AuditRecord, AuditRecords } from "../contract/audit.ts";
import { Condition } from "../contract/conditions.ts";
import { MetricSeries } from "../contract/metrics.ts";
import { Node, ReadNodes, ServiceNodes } from "../contract/nodes.ts";
import { type JobState, OperatorJob, OperatorOverview } from "../contract/operator.ts";
import { Parameter } from "../contract/parameters.ts";
import { Interruption, Plan, PlannedStep } from "../contract/plan.ts";
import { QueryAnswer, QueryResult } from "../contract/query.ts";
import { Region } from "../contract/regions.ts";
import { ReadReplicaSet, Service, type ServiceStatus, type ServiceType } from "../contract/service.ts";
import { ServiceEvent, ServiceEvents } from "../contract/service-events.ts";
import { LogEntry } from "../contract/service-logs.ts";
import { Webhook, WebhookDelivery } from "../contract/webhooks.ts";
import type { OtherWord } from "./client-error.ts";

const word = <Known extends string>() => Type.Unsafe<Known | OtherWord>({ type: "string" });

export const ReadReplicaSetRecord = Type.Object({
  ...ReadReplicaSet.properties,
  status: word<ReadReplicaSet["status"]>(),
});
export type ReadReplicaSetRecord = Static<typeof ReadReplicaSetRecord>;

export const ServiceRecord = Type.Object({
  ...Service.properties,
  status: word<ServiceStatus>(),
  service_type: word<ServiceType>(),
  read_replica_sets: Type.Optional(Type.Array(ReadReplicaSetRecord)),
});
export type ServiceRecord = Static<typeof ServiceRecord>;

export const ServiceRecords = Type.Array(ServiceRecord);

export const ServiceStory = Type.Object({
  ...ServiceEvents.properties,
  status: word<ServiceStatus>(),
  conditions: Type.Array(
    Type.Object({
      ...Condition.properties,
      type: word<Condition["type"]>(),
      status: word<Condition["status"]>(),
    }),
  ),
});
export type ServiceStory = Static<typeof ServiceStory>;

export const EventRecord = Type.Object({ ...ServiceEvent.properties });
export type EventRecord = Static<typeof EventRecord>;

export const EventRecords = Type.Object({ events: Type.Array(EventRecord) });

export const WebhookRecord = Type.Object({ ...Webhook.properties });
export type WebhookRecord = Static<typeof WebhookRecord>;

export const DeliveryRecord = Type.Object({
  ...WebhookDelivery.properties,
  state: word<WebhookDelivery["state"]>(),
});
export type DeliveryRecord = Static<typeof DeliveryRecord>;

export const DeliveryRecords = Type.Object({ deliveries: Type.Array(DeliveryRecord) });

export const AuditPage = Type.Object({
  ...AuditRecords.properties,
  records: Type.Array(Type.Object({ ...AuditRecord.properties })),
});
export type AuditPage = Static<typeof AuditPage>;

export const ParameterRecords = Type.Object({
  parameters: Type.Array(
    Type.Object({
      ...Parameter.properties,
      type: word<Parameter["type"]>(),
      source: word<Parameter["source"]>(),
    }),
  ),
});
export type ParameterRecords = Static<typeof ParameterRecords>;

export const PlanRecord = Type.Object({
  ...Plan.properties,
  outlook: word<Plan["outlook"]>(),
  steps: Type.Array(
    Type.Object({ ...PlannedStep.properties, interruption: word<PlannedStep["interruption"]>() }),
  ),
  interruption: Type.Optional(
    Type.Object({
      ...Interruption.properties,
      kind: word<Interruption["kind"]>(),
      pooled: Type.Optional(word<NonNullable<Interruption["pooled"]>>()),
    }),
  ),
});
export type PlanRecord = Static<typeof PlanRecord>;

export const RegionRecord = Type.Object({ ...Region.properties });
export type RegionRecord = Static<typeof RegionRecord>;

const NodeRecord = Type.Object({
  ...Node.properties,
  state: word<Node["state"]>(),
  role: Type.Unsafe<Node["role"] | OtherWord>({ type: ["string", "null"] }),
});
export type NodeRecord = Static<typeof NodeRecord>;

const NODES = {
  nodes: Type.Array(NodeRecord),
  gateway: Type.Optional(
    Type.Object({
      state: word<NonNullable<ServiceNodes["gateway"]>["state"]>(),
      serving: Type.Boolean(),
    }),
  ),
};

export const NodeRecords = Type.Object({
  ...ServiceNodes.properties,
  ...NODES,
  read_replica_sets: Type.Array(Type.Object({ ...ReadNodes.properties, ...NODES })),
});
export type NodeRecords = Static<typeof NodeRecords>;

export const LogRecords = Type.Object({
  entries: Type.Array(LogEntry),
  last_cursor: Type.Optional(Type.String()),
});
export type LogRecords = Static<typeof LogRecords>;

export const QueryRecord = Type.Object({
  ...QueryAnswer.properties,
  results: Type.Array(Type.Object({ ...QueryResult.properties })),
});
export type QueryRecord = Static<typeof QueryRecord>;

export const SeriesRecords = Type.Array(MetricSeries);
export type SeriesRecords = Static<typeof SeriesRecords>;

/** Whose key it is. */
export const KeyOwner = Type.Object({
  api_key: Type.Object({
    public_key: Type.String(),
    name: Type.String(),
    /** Left out by an API that is older than this. */
    role: Type.Optional(word<Role>()),
    expires_at: Type.Optional(Type.String({ format: "date-time" })),
    project: Type.Object({ id: Type.String(), name: Type.String() }),
  }),
});
export type KeyOwner = Static<typeof KeyOwner>;

export const SessionRecord = Type.Object({ ...SignedIn.properties, role: word<Role>() });
export type SessionRecord = Static<typeof SessionRecord>;

/** Also what an operation without an answer of its own gives. */
export const Nothing = Type.Unsafe<null>({ type: "null" });

const JobRecord = Type.Object({ ...OperatorJob.properties, state: word<JobState>() });

export const OverviewRecord = Type.Object({
  ...OperatorOverview.properties,
  jobs: Type.Object({ ...OperatorOverview.properties.jobs.properties, first: Type.Array(JobRecord) }),
});
export type OverviewRecord = Static<typeof OverviewRecord>;
