/** A typed client of the API, for Node and browsers. */
export { type AccountClient, type SignInOptions, signIn } from "./account.ts";
export type {
  AuditPage,
  DeliveryRecord,
  EventRecord,
  KeyOwner,
  LogRecords,
  NodeRecord,
  NodeRecords,
  OverviewRecord,
  ParameterRecords,
  PlanRecord,
  QueryRecord,
  ReadReplicaSetRecord,
  RegionRecord,
  SeriesRecords,
  ServiceRecord,
  ServiceStory,
  SessionRecord,
  WebhookRecord,
} from "./answers.ts";
export { type CallOptions, type CreateOptions, type EventQuery, newIdempotencyKey } from "./calls.ts";
export { type Change, type Client, type ClientOptions, createClient } from "./client.ts";
export { ClientError, type ConnectionCode } from "./client-error.ts";
export type { StreamOptions } from "./event-stream.ts";
export type { AuditQuery, ProjectEventQuery } from "./history.ts";
export type { Fetch } from "./http.ts";
export type { SetOfService } from "./read-replica-sets.ts";
export type { LogQuery } from "./telemetry.ts";
export type { PeeringRecord, VpcClient } from "./vpcs.ts";
export type { Goal, WaitOptions, WaitOutcome, WaitProgress } from "./wait-for.ts";
