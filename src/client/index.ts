/** A typed client of the API, for Node and browsers. */
export type {
  KeyOwner,
  ParameterRecords,
  PlanRecord,
  ReadReplicaSetRecord,
  ServiceRecord,
  ServiceStory,
} from "./answers.ts";
export {
  type CallOptions,
  type Change,
  type Client,
  type ClientOptions,
  type CreateOptions,
  createClient,
  type EventQuery,
  type SetOfService,
} from "./client.ts";
export { ClientError, type ConnectionCode } from "./client-error.ts";
export type { Fetch } from "./http.ts";
export type { PeeringRecord, VpcClient } from "./vpcs.ts";
export type { Goal, WaitOptions, WaitOutcome, WaitProgress } from "./wait-for.ts";
