/** The API's operations as functions, for programs in Node and in a browser. */
import { Type } from "typebox";
import { Project } from "../contract/account.ts";
import type { ChangeParametersBody } from "../contract/parameters.ts";
import { QUERY_BOUNDS, type QueryBody } from "../contract/query.ts";
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
import { type AccountClient, accountClient } from "./account.ts";
import {
  KeyOwner,
  NodeRecords,
  Nothing,
  ParameterRecords,
  PlanRecord,
  QueryRecord,
  RegionRecord,
  ServiceRecord,
  ServiceRecords,
} from "./answers.ts";
import { type CallOptions, type CreateOptions, keyed, READ, servicePath } from "./calls.ts";
import { type HistoryClient, historyClient } from "./history.ts";
import { createHttp, DEFAULT_TIMEOUT_MS, type Fetch, withoutSlash } from "./http.ts";
import { type ReadReplicaSetClient, readReplicaSetClient } from "./read-replica-sets.ts";
import { type TelemetryClient, telemetryClient } from "./telemetry.ts";
import { type VpcClient, vpcClient } from "./vpcs.ts";
import { type Goal, type WaitOptions, type WaitOutcome, waitFor } from "./wait-for.ts";
import { type WebhookClient, webhookClient } from "./webhooks.ts";

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

/** What can be asked for without being done. */
export type Change =
  | { readonly operation: "resize"; readonly body: ResizeBody }
  | { readonly operation: "setHA"; readonly body: SetHaBody }
  | { readonly operation: "parameters"; readonly body: ChangeParametersBody }
  | { readonly operation: "start" | "stop" | "switchover" };

/** Every function throws ClientError, or the reason of its signal. */
export interface Client
  extends AccountClient,
    ReadReplicaSetClient,
    VpcClient,
    HistoryClient,
    WebhookClient,
    TelemetryClient {
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
  /** What is still to be done, and what it waits for. */
  getPlan(serviceId: string, options?: CallOptions): Promise<PlanRecord>;
  /** Who leads, who follows and how far behind, as it was observed last; the sets that read from it too. */
  listNodes(serviceId: string, options?: CallOptions): Promise<NodeRecords>;
  /** What a change would take, and what clients would notice. Nothing is changed. */
  dryRun(serviceId: string, change: Change, options?: CallOptions): Promise<PlanRecord>;
  /** Runs SQL. Aborting the signal cancels it in the database. */
  query(serviceId: string, body: QueryBody, options?: CallOptions): Promise<QueryRecord>;
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
  const at = (serviceId: string, operation = "") => servicePath(project, serviceId, operation);
  const service = { method: "POST", answer: ServiceRecord } as const;
  const message = { method: "POST", answer: Message } as const;

  const client: Client = {
    ...readReplicaSetClient(send, project),
    ...vpcClient(send, project),
    ...historyClient(send, http, project),
    ...webhookClient(send, project),
    ...telemetryClient(send, project),
    ...accountClient(send),
    getAuthInfo: (call) => send({ ...READ, path: "/auth/info", answer: KeyOwner, ...call }),
    listProjects: (call) => send({ ...READ, path: "/projects", answer: Type.Array(Project), ...call }),
    listRegions: (call) =>
      send({ ...READ, path: `${project}/regions`, answer: Type.Array(RegionRecord), ...call }),
    listServices: (call) => send({ ...READ, path: services, answer: ServiceRecords, ...call }),
    createService: (body, call) => send({ ...service, path: services, body, ...keyed(call) }),
    getService: (id, call) => send({ ...READ, path: at(id), answer: ServiceRecord, ...call }),
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
    getAllowList: (id, call) => send({ ...READ, path: at(id, "allowList"), answer: Cidrs, ...call }),
    setAllowList: (id, body, call) =>
      send({ method: "PUT", path: at(id, "allowList"), body, answer: Cidrs, ...call }),
    getDeletionProtection: (id, call) =>
      send({ ...READ, path: at(id, "deletionProtection"), answer: Protection, ...call }),
    setDeletionProtection: (id, body, call) =>
      send({ method: "PUT", path: at(id, "deletionProtection"), body, answer: Protection, ...call }),
    listParameters: (id, call) =>
      send({ ...READ, path: at(id, "parameters"), answer: ParameterRecords, ...call }),
    changeParameters: (id, body, call) =>
      send({ method: "PATCH", path: at(id, "parameters"), body, answer: ParameterRecords, ...call }),
    getPlan: (id, call) => send({ ...READ, path: at(id, "plan"), answer: PlanRecord, ...call }),
    listNodes: (id, call) => send({ ...READ, path: at(id, "nodes"), answer: NodeRecords, ...call }),
    dryRun: (id, change, call) =>
      send({
        method: change.operation === "parameters" ? "PATCH" : "POST",
        path: `${at(id, change.operation)}?dry_run=true`,
        ...("body" in change ? { body: change.body } : {}),
        answer: PlanRecord,
        repeatable: true,
        ...call,
      }),
    query: (id, body, call) =>
      send({
        method: "POST",
        path: at(id, "query"),
        body,
        answer: QueryRecord,
        timeoutMs: (body.timeout_seconds ?? QUERY_BOUNDS.seconds.usual) * 1_000 + AROUND_A_QUERY_MS,
        ...call,
      }),
    waitFor: (id, until, waiting) => waitFor(client, id, until, waiting),
  };
  return client;
}

const MaybeMessage = Type.Union([Message, Nothing]);
// Bodies of requests refuse unknown fields; the same records as answers do not.
const Cidrs = Type.Object({ ...AllowList.properties });
const Protection = Type.Object({ ...DeletionProtection.properties });
