/** A typed client of the API, for Node and browsers. */
export type {
  KeyOwner,
  LogRecords,
  ParameterRecords,
  SeriesRecords,
  ServiceRecord,
  ServiceStory,
} from "./answers.ts";
export {
  type CallOptions,
  type Client,
  type ClientOptions,
  type CreateOptions,
  createClient,
  type EventQuery,
  type LogQuery,
} from "./client.ts";
export { ClientError, type ConnectionCode } from "./client-error.ts";
export type { Fetch } from "./http.ts";
export type { Goal, WaitOptions, WaitOutcome, WaitProgress } from "./wait-for.ts";
