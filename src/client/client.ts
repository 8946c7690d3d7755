/** The API's operations as functions, for programs in Node and in a browser. */
import { Type } from "typebox";
import { Project } from "../contract/account.ts";
import type { MetricSeriesBody, ProjectMetricSeriesBody } from "../contract/metrics.ts";
import type { ChangeParametersBody } from "../contract/parameters.ts";
import { QUERY_BOUNDS, type QueryBody } from "../contract/query.ts";
import type { CreateReadReplicaSetBody, ResizeReadReplicaSetBody } from "../contract/read-replica-sets.ts";
import {
  AllowList,
  type CreateServiceBody,
  DeletionProtection,
  type ForkServiceBody,
  Message,
  type RenameBody,
  type ResizeBody,
  type SetEnvironmentBody,
  type SetHaBody,
  type UpdatePasswordBody,
} from "../contract/requests.ts";
import type { CreateWebhookBody, UpdateWebhookBody } from "../contract/webhooks.ts";
import { type AccountClient, accountClient } from "./account.ts";
import {
  AuditPage,
  DeliveryRecord,
  DeliveryRecords,
  type EventRecord,
  EventRecords,
  KeyOwner,
  LogRecords,
  NodeRecords,
  Nothing,
  ParameterRecords,
  PlanRecord,
  QueryRecord,
  ReadReplicaSetRecord,
  RegionRecord,
  SeriesRecords,
  ServiceRecord,
  ServiceRecords,
  ServiceStory,
  WebhookRecord,
} from "./answers.ts";
import { type StreamOptions, streamEvents } from "./event-stream.ts";
import { createHttp, DEFAULT_TIMEOUT_MS, type Fetch, openAnswer, withoutSlash } from "./http.ts";
import { type VpcClient, vpcClient } from "./vpcs.ts";
import { type Goal, type WaitOptions, type WaitOutcome, waitFor } from "./wait-for.ts";

export interface ClientOptions {
  /** Ends in the version: http://127.0.0.1:8420/api/v1 */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly projectId: string;
  /** Left out: the platform's own. */
  readonly fetch?: Fetch;
  /** For each try of a request; 30 s where it is left out. */
  readonly timeoutMs?: number;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface CreateOptions extends CallOptions {
  /** Left out: a new one. The same key with the same body never creates a second service. */
  readonly idempotencyKey?: string;
}

export interface EventQuery {
  /** How many at most, 1 to 500. */
  readonly limit?: number;
  /** The id of an event; only older ones are listed. */
  readonly before?: string;
}

/** A read replica set is known by its own id and that of the service that it reads from. */
export interface SetOfService {
  readonly serviceId: string;
  readonly setId: string;
}

/** What can be asked for without being done. */
export type Change =
  | { readonly operation: "resize"; readonly body: ResizeBody }
  | { readonly operation: "setHA"; readonly body: SetHaBody }
  | { readonly operation: "parameters"; readonly body: ChangeParametersBody }
  | { readonly operation: "start" | "stop" | "switchover" };

/** Which events of the project. */
export interface ProjectEventQuery extends EventQuery {
  readonly serviceId?: string;
  /** Such as service.status, or service.resize for all that begin with it. */
  readonly types?: readonly string[];
}

export interface AuditQuery {
  /** RFC 3339. */
  readonly since?: string;
  readonly until?: string;
}

export interface LogQuery {
  /** Its number or its name. */
  readonly node?: string;
  /** The last_cursor of the page before. */
  readonly cursor?: string;
  /** The first moment and the one after the last, as RFC 3339 writes them. */
  readonly since?: string;
  readonly until?: string;
  /** Texts that all have to be in an entry. */
  readonly search?: readonly string[];
  readonly severities?: readonly string[];
}

/** Every function throws ClientError, or the reason of its signal. */
export interface Client extends VpcClient, AccountClient {
  getAuthInfo(options?: CallOptions): Promise<KeyOwner>;
  listProjects(options?: CallOptions): Promise<readonly Project[]>;
  /** What can be created where, and what a size gives; the region with the most room first. */
  listRegions(options?: CallOptions): Promise<readonly RegionRecord[]>;
  listServices(options?: CallOptions): Promise<readonly ServiceRecord[]>;
  /** The answer has the initial password, which is told nowhere else. */
  createService(body: CreateServiceBody, options?: CreateOptions): Promise<ServiceRecord>;
  getService(serviceId: string, options?: CallOptions): Promise<ServiceRecord>;
  deleteService(serviceId: string, options?: CallOptions): Promise<ServiceRecord>;
  setHa(serviceId: string, body: SetHaBody, options?: CallOptions): Promise<ServiceRecord>;
  resizeService(serviceId: string, body: ResizeBody, options?: CallOptions): Promise<ServiceRecord>;
  startService(serviceId: string, options?: CallOptions): Promise<ServiceRecord>;
  stopService(serviceId: string, options?: CallOptions): Promise<ServiceRecord>;
  switchover(serviceId: string, options?: CallOptions): Promise<ServiceRecord>;
  renameService(serviceId: string, body: RenameBody, options?: CallOptions): Promise<ServiceRecord>;
  /** The new service, with its initial password. */
  forkService(serviceId: string, body: ForkServiceBody, options?: CreateOptions): Promise<ServiceRecord>;
  /** null: the password is in force. Else what still stands in the way. */
  updatePassword(serviceId: string, body: UpdatePasswordBody, options?: CallOptions): Promise<Message | null>;
  setEnvironment(serviceId: string, body: SetEnvironmentBody, options?: CallOptions): Promise<Message>;
  enablePooler(serviceId: string, options?: CallOptions): Promise<Message>;
  disablePooler(serviceId: string, options?: CallOptions): Promise<Message>;
  getAllowList(serviceId: string, options?: CallOptions): Promise<AllowList>;
  setAllowList(serviceId: string, body: AllowList, options?: CallOptions): Promise<AllowList>;
  getDeletionProtection(serviceId: string, options?: CallOptions): Promise<DeletionProtection>;
  setDeletionProtection(
    serviceId: string,
    body: DeletionProtection,
    options?: CallOptions,
  ): Promise<DeletionProtection>;
  listParameters(serviceId: string, options?: CallOptions): Promise<ParameterRecords>;
  changeParameters(
    serviceId: string,
    body: ChangeParametersBody,
    options?: CallOptions,
  ): Promise<ParameterRecords>;
  getServiceEvents(serviceId: string, query?: EventQuery, options?: CallOptions): Promise<ServiceStory>;
  listReadReplicaSets(serviceId: string, options?: CallOptions): Promise<readonly ReadReplicaSetRecord[]>;
  createReadReplicaSet(
    serviceId: string,
    body: CreateReadReplicaSetBody,
    options?: CreateOptions,
  ): Promise<ReadReplicaSetRecord>;
  resizeReadReplicaSet(
    set: SetOfService,
    body: ResizeReadReplicaSetBody,
    options?: CallOptions,
  ): Promise<ReadReplicaSetRecord>;
  deleteReadReplicaSet(set: SetOfService, options?: CallOptions): Promise<ReadReplicaSetRecord>;
  enableReadReplicaSetPooler(set: SetOfService, options?: CallOptions): Promise<Message>;
  disableReadReplicaSetPooler(set: SetOfService, options?: CallOptions): Promise<Message>;
  setReadReplicaSetEnvironment(
    set: SetOfService,
    body: SetEnvironmentBody,
    options?: CallOptions,
  ): Promise<Message>;
  /** What is still to be done, and what it waits for. */
  getPlan(serviceId: string, options?: CallOptions): Promise<PlanRecord>;
  /** Who leads, who follows and how far behind, as it was observed last; the sets that read from it too. */
  listNodes(serviceId: string, options?: CallOptions): Promise<NodeRecords>;
  /** What a change would take, and what clients would notice. Nothing is changed. */
  dryRun(serviceId: string, change: Change, options?: CallOptions): Promise<PlanRecord>;
  listEvents(query?: ProjectEventQuery, options?: CallOptions): Promise<readonly EventRecord[]>;
  /** Every event once, in order, without a gap, over as many connections as that takes. */
  streamEvents(
    query?: Omit<ProjectEventQuery, keyof EventQuery>,
    options?: StreamOptions,
  ): AsyncGenerator<EventRecord, void, undefined>;
  listWebhooks(options?: CallOptions): Promise<readonly WebhookRecord[]>;
  /** The answer has the secret, which is told nowhere else. */
  createWebhook(body: CreateWebhookBody, options?: CallOptions): Promise<WebhookRecord>;
  getWebhook(webhookId: string, options?: CallOptions): Promise<WebhookRecord>;
  updateWebhook(webhookId: string, body: UpdateWebhookBody, options?: CallOptions): Promise<WebhookRecord>;
  deleteWebhook(webhookId: string, options?: CallOptions): Promise<null>;
  /** The answer has the new secret. */
  rotateWebhookSecret(webhookId: string, options?: CallOptions): Promise<WebhookRecord>;
  testWebhook(webhookId: string, options?: CallOptions): Promise<DeliveryRecord>;
  listWebhookDeliveries(
    webhookId: string,
    query?: EventQuery,
    options?: CallOptions,
  ): Promise<readonly DeliveryRecord[]>;
  redeliverWebhook(webhookId: string, deliveryId: string, options?: CallOptions): Promise<DeliveryRecord>;
  listAuditRecords(
    query?: AuditQuery & { readonly cursor?: string },
    options?: CallOptions,
  ): Promise<AuditPage>;
  /** All of the audit as JSON lines, oldest first, piece by piece as it comes. */
  exportAudit(query?: AuditQuery, options?: CallOptions): AsyncGenerator<string, void, undefined>;
  getServiceLogs(serviceId: string, query?: LogQuery, options?: CallOptions): Promise<LogRecords>;
  /** Runs SQL. Aborting the signal cancels it in the database. */
  query(serviceId: string, body: QueryBody, options?: CallOptions): Promise<QueryRecord>;
  /** What is measured of a service. */
  listMetricSeries(serviceId: string, options?: CallOptions): Promise<readonly string[]>;
  getMetricSeries(serviceId: string, body: MetricSeriesBody, options?: CallOptions): Promise<SeriesRecords>;
  /** Of many services at once, told by the label service_id; of primaries alone where no role is asked for. */
  getProjectMetricSeries(body: ProjectMetricSeriesBody, options?: CallOptions): Promise<SeriesRecords>;
  /** Follows a service until it is as wanted, cannot become so, or the deadline passes. */
  waitFor(serviceId: string, until: Goal, options: WaitOptions): Promise<WaitOutcome>;
}

/** What a query takes beside the time that it may run for: the login, and the way of its answer. */
const AROUND_A_QUERY_MS = 30_000;

export function createClient(options: ClientOptions): Client {
  const http = {
    baseUrl: withoutSlash(options.baseUrl),
    apiKey: options.apiKey,
    fetch: options.fetch ?? globalThis.fetch,
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
  };
  const send = createHttp(http);
  const project = `/projects/${encodeURIComponent(options.projectId)}`;
  const services = `${project}/services`;
  const webhooks = `${project}/webhooks`;
  const webhookAt = (webhookId: string, below = "") => `${webhooks}/${encodeURIComponent(webhookId)}${below}`;
  const at = (serviceId: string, operation = "") =>
    `${services}/${encodeURIComponent(serviceId)}${operation && `/${operation}`}`;

  const set = ({ serviceId, setId }: SetOfService, operation = "") =>
    at(serviceId, `replicaSets/${encodeURIComponent(setId)}${operation && `/${operation}`}`);

  const read = { method: "GET", repeatable: true } as const;
  const service = { method: "POST", answer: ServiceRecord } as const;
  const message = { method: "POST", answer: Message } as const;
  const changedSet = { method: "POST", answer: ReadReplicaSetRecord } as const;
  const keyed = ({ idempotencyKey = randomKey(), signal }: CreateOptions = {}) => ({
    headers: { "idempotency-key": idempotencyKey },
    repeatable: true,
    signal,
  });

  const client: Client = {
    ...vpcClient(send, project),
    ...accountClient(send),
    getAuthInfo: (call) => send({ ...read, path: "/auth/info", answer: KeyOwner, ...call }),
    listProjects: (call) => send({ ...read, path: "/projects", answer: Type.Array(Project), ...call }),
    listRegions: (call) =>
      send({ ...read, path: `${project}/regions`, answer: Type.Array(RegionRecord), ...call }),
    listServices: (call) => send({ ...read, path: services, answer: ServiceRecords, ...call }),
    createService: (body, call) => send({ ...service, path: services, body, ...keyed(call) }),
    getService: (id, call) => send({ ...read, path: at(id), answer: ServiceRecord, ...call }),
    deleteService: (id, call) => send({ ...service, method: "DELETE", path: at(id), ...call }),
    setHa: (id, body, call) => send({ ...service, path: at(id, "setHA"), body, ...call }),
    resizeService: (id, body, call) => send({ ...service, path: at(id, "resize"), body, ...call }),
    startService: (id, call) => send({ ...service, path: at(id, "start"), ...call }),
    stopService: (id, call) => send({ ...service, path: at(id, "stop"), ...call }),
    switchover: (id, call) => send({ ...service, path: at(id, "switchover"), ...call }),
    renameService: (id, body, call) => send({ ...service, path: at(id, "rename"), body, ...call }),
    forkService: (id, body, call) => send({ ...service, path: at(id, "forkService"), body, ...keyed(call) }),
    updatePassword: (id, body, call) =>
      send({ ...message, answer: MaybeMessage, path: at(id, "updatePassword"), body, ...call }),
    setEnvironment: (id, body, call) => send({ ...message, path: at(id, "setEnvironment"), body, ...call }),
    enablePooler: (id, call) => send({ ...message, path: at(id, "enablePooler"), ...call }),
    disablePooler: (id, call) => send({ ...message, path: at(id, "disablePooler"), ...call }),
    getAllowList: (id, call) => send({ ...read, path: at(id, "allowList"), answer: Cidrs, ...call }),
    setAllowList: (id, body, call) =>
      send({ method: "PUT", path: at(id, "allowList"), body, answer: Cidrs, ...call }),
    getDeletionProtection: (id, call) =>
      send({ ...read, path: at(id, "deletionProtection"), answer: Protection, ...call }),
    setDeletionProtection: (id, body, call) =>
      send({ method: "PUT", path: at(id, "deletionProtection"), body, answer: Protection, ...call }),
    listParameters: (id, call) =>
      send({ ...read, path: at(id, "parameters"), answer: ParameterRecords, ...call }),
    changeParameters: (id, body, call) =>
      send({ method: "PATCH", path: at(id, "parameters"), body, answer: ParameterRecords, ...call }),
    getServiceEvents: (id, query = {}, call) =>
      send({ ...read, path: `${at(id, "events")}${queryText(query)}`, answer: ServiceStory, ...call }),
    listReadReplicaSets: (id, call) =>
      send({ ...read, path: at(id, "replicaSets"), answer: Type.Array(ReadReplicaSetRecord), ...call }),
    createReadReplicaSet: (id, body, call) =>
      send({ ...changedSet, path: at(id, "replicaSets"), body, ...keyed(call) }),
    resizeReadReplicaSet: (which, body, call) =>
      send({ ...changedSet, path: set(which, "resize"), body, ...call }),
    deleteReadReplicaSet: (which, call) =>
      send({ ...changedSet, method: "DELETE", path: set(which), ...call }),
    enableReadReplicaSetPooler: (which, call) =>
      send({ ...message, path: set(which, "enablePooler"), ...call }),
    disableReadReplicaSetPooler: (which, call) =>
      send({ ...message, path: set(which, "disablePooler"), ...call }),
    setReadReplicaSetEnvironment: (which, body, call) =>
      send({ ...message, path: set(which, "setEnvironment"), body, ...call }),
    getPlan: (id, call) => send({ ...read, path: at(id, "plan"), answer: PlanRecord, ...call }),
    listNodes: (id, call) => send({ ...read, path: at(id, "nodes"), answer: NodeRecords, ...call }),
    dryRun: (id, change, call) =>
      send({
        method: change.operation === "parameters" ? "PATCH" : "POST",
        path: `${at(id, change.operation)}?dry_run=true`,
        ...("body" in change ? { body: change.body } : {}),
        answer: PlanRecord,
        repeatable: true,
        ...call,
      }),
    listEvents: async (query = {}, call) => {
      const { limit, before, serviceId, types } = query;
      const path = `${project}/events${queryOf({ limit, before, service_id: serviceId, type: types?.join() })}`;
      return (await send({ ...read, path, answer: EventRecords, ...call })).events;
    },
    streamEvents: ({ serviceId, types } = {}, call) =>
      streamEvents(http, `${project}/events${queryOf({ service_id: serviceId, type: types?.join() })}`, call),
    listWebhooks: (call) => send({ ...read, path: webhooks, answer: Type.Array(WebhookRecord), ...call }),
    createWebhook: (body, call) =>
      send({ method: "POST", path: webhooks, body, answer: WebhookRecord, ...call }),
    getWebhook: (id, call) => send({ ...read, path: webhookAt(id), answer: WebhookRecord, ...call }),
    updateWebhook: (id, body, call) =>
      send({ method: "PATCH", path: webhookAt(id), body, answer: WebhookRecord, ...call }),
    deleteWebhook: (id, call) => send({ method: "DELETE", path: webhookAt(id), answer: Nothing, ...call }),
    rotateWebhookSecret: (id, call) =>
      send({ method: "POST", path: webhookAt(id, "/rotateSecret"), answer: WebhookRecord, ...call }),
    testWebhook: (id, call) =>
      send({ method: "POST", path: webhookAt(id, "/test"), answer: DeliveryRecord, ...call }),
    listWebhookDeliveries: async (id, query = {}, call) => {
      const path = `${webhookAt(id, "/deliveries")}${queryText(query)}`;
      return (await send({ ...read, path, answer: DeliveryRecords, ...call })).deliveries;
    },
    redeliverWebhook: (id, delivery, call) =>
      send({
        method: "POST",
        path: webhookAt(id, `/deliveries/${encodeURIComponent(delivery)}/redeliver`),
        answer: DeliveryRecord,
        ...call,
      }),
    listAuditRecords: (query = {}, call) =>
      send({ ...read, path: `${project}/audit${queryOf({ ...query })}`, answer: AuditPage, ...call }),
    async *exportAudit(query = {}, { signal = new AbortController().signal } = {}) {
      const path = `${project}/audit${queryOf({ ...query, format: "jsonl" })}`;
      const { body } = await openAnswer(http, path, { accept: "application/x-ndjson" }, signal);
      if (body) yield* textOf(body);
    },
    getServiceLogs: (id, query = {}, call) =>
      send({ ...read, path: `${at(id, "logs")}${logQueryText(query)}`, answer: LogRecords, ...call }),
    query: (id, body, call) =>
      send({
        method: "POST",
        path: at(id, "query"),
        body,
        answer: QueryRecord,
        timeoutMs: (body.timeout_seconds ?? QUERY_BOUNDS.seconds.usual) * 1_000 + AROUND_A_QUERY_MS,
        ...call,
      }),
    listMetricSeries: (id, call) =>
      send({ ...read, path: at(id, "metrics/available-series"), answer: SeriesNames, ...call }),
    getMetricSeries: (id, body, call) =>
      send({ ...read, method: "POST", path: at(id, "metrics/series"), body, answer: SeriesRecords, ...call }),
    getProjectMetricSeries: (body, call) =>
      send({
        ...read,
        method: "POST",
        path: `${project}/metrics/series`,
        body,
        answer: SeriesRecords,
        ...call,
      }),
    waitFor: (id, until, waiting) => waitFor(client, id, until, waiting),
  };
  return client;
}

const SeriesNames = Type.Array(Type.String());
const MaybeMessage = Type.Union([Message, Nothing]);
// Bodies of requests refuse unknown fields; the same records as answers do not.
const Cidrs = Type.Object({ ...AllowList.properties });
const Protection = Type.Object({ ...DeletionProtection.properties });

function queryText({ limit, before }: EventQuery): string {
  return queryOf({ limit, before });
}

function queryOf(fields: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) query.set(name, String(value));
  const text = query.toString();
  return text && `?${text}`;
}

async function* textOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield decoder.decode(value, { stream: true });
  }
}

function logQueryText({ search = [], severities = [], ...single }: LogQuery): string {
  const query = new URLSearchParams({ ...single });
  for (const text of search) query.append("search", text);
  for (const severity of severities) query.append("severities", severity);
  return query.size === 0 ? "" : `?${query.toString()}`;
}

/** 128 random bits. Not randomUUID: browsers have that on https and localhost alone. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
