/** The HTTP API, put together. It listens nowhere by itself. */
import { randomUUID } from "node:crypto";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from "fastify";
import { DEFAULT_SIZES, type DedicatedSize, parseSizes } from "../contract/size.ts";
import { type Feed, startFeed } from "../feed/feed.ts";
import { renderWebhookBody } from "../feed/present-event.ts";
import type { Store } from "../store/db.ts";
import type { Encryption } from "../store/encryption.ts";
import { createAudit } from "./audit.ts";
import { authorize } from "./auth.ts";
import { answerBrokenHttp } from "./broken-http.ts";
import { serveConsole } from "./console.ts";
import type { ApiContext, Installation, ReadLogs, RunQuery } from "./context.ts";
import { BODY_LIMIT_BYTES, handleError } from "./errors.ts";
import { createEventHub, type EventHub } from "./event-stream/hub.ts";
import { acceptJsonOnly } from "./json-body.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { describeApi, serveDocument } from "./openapi.ts";
import { attachToVpc } from "./operations/attach-to-vpc.ts";
import { changeParameters } from "./operations/change-parameters.ts";
import { createPeering } from "./operations/create-peering.ts";
import { createReadReplicaSet } from "./operations/create-read-replica-set.ts";
import { createService } from "./operations/create-service.ts";
import { createSignInLink } from "./operations/create-sign-in-link.ts";
import { createVpc } from "./operations/create-vpc.ts";
import { createWebhook } from "./operations/create-webhook.ts";
import { deletePeering } from "./operations/delete-peering.ts";
import { deleteReadReplicaSet } from "./operations/delete-read-replica-set.ts";
import { deleteService } from "./operations/delete-service.ts";
import { deleteVpc } from "./operations/delete-vpc.ts";
import { deleteWebhook } from "./operations/delete-webhook.ts";
import { detachFromVpc } from "./operations/detach-from-vpc.ts";
import { disablePooler } from "./operations/disable-pooler.ts";
import { disableReadReplicaSetPooler } from "./operations/disable-read-replica-set-pooler.ts";
import { enablePooler } from "./operations/enable-pooler.ts";
import { enableReadReplicaSetPooler } from "./operations/enable-read-replica-set-pooler.ts";
import { forkService } from "./operations/fork-service.ts";
import { getAllowList } from "./operations/get-allow-list.ts";
import { getAuthInfo } from "./operations/get-auth-info.ts";
import { getDeletionProtection } from "./operations/get-deletion-protection.ts";
import { getMetricSeries } from "./operations/get-metric-series.ts";
import { getOperatorOverview } from "./operations/get-operator-overview.ts";
import { getPeering } from "./operations/get-peering.ts";
import { getPlan } from "./operations/get-plan.ts";
import { getProjectMetricSeries } from "./operations/get-project-metric-series.ts";
import { getProjectMetrics } from "./operations/get-project-metrics.ts";
import { getService } from "./operations/get-service.ts";
import { getServiceEvents } from "./operations/get-service-events.ts";
import { getServiceLogs } from "./operations/get-service-logs.ts";
import { getVpc } from "./operations/get-vpc.ts";
import { getWebhook } from "./operations/get-webhook.ts";
import { listAuditRecords } from "./operations/list-audit-records.ts";
import { listEvents } from "./operations/list-events.ts";
import { listMetricSeries } from "./operations/list-metric-series.ts";
import { listNodes } from "./operations/list-nodes.ts";
import { listParameters } from "./operations/list-parameters.ts";
import { listPeerings } from "./operations/list-peerings.ts";
import { listProjects } from "./operations/list-projects.ts";
import { listReadReplicaSets } from "./operations/list-read-replica-sets.ts";
import { listRegions } from "./operations/list-regions.ts";
import { listServices } from "./operations/list-services.ts";
import { listVpcs } from "./operations/list-vpcs.ts";
import { listWebhookDeliveries } from "./operations/list-webhook-deliveries.ts";
import { listWebhooks } from "./operations/list-webhooks.ts";
import { logOut } from "./operations/log-out.ts";
import { queryService } from "./operations/query-service.ts";
import { recordAnalytics } from "./operations/record-analytics.ts";
import { redeliverWebhook } from "./operations/redeliver-webhook.ts";
import { renameService } from "./operations/rename-service.ts";
import { renameVpc } from "./operations/rename-vpc.ts";
import { resizeReadReplicaSet } from "./operations/resize-read-replica-set.ts";
import { resizeService } from "./operations/resize-service.ts";
import { rotateWebhookSecret } from "./operations/rotate-webhook-secret.ts";
import { setAllowList } from "./operations/set-allow-list.ts";
import { setDeletionProtection } from "./operations/set-deletion-protection.ts";
import { setEnvironment } from "./operations/set-environment.ts";
import { setHa } from "./operations/set-ha.ts";
import { setReadReplicaSetEnvironment } from "./operations/set-read-replica-set-environment.ts";
import { signIn } from "./operations/sign-in.ts";
import { startService } from "./operations/start-service.ts";
import { stopService } from "./operations/stop-service.ts";
import { switchover } from "./operations/switchover.ts";
import { testWebhook } from "./operations/test-webhook.ts";
import { updatePassword } from "./operations/update-password.ts";
import { updateWebhook } from "./operations/update-webhook.ts";
import { addProbes } from "./probes.ts";
import type { Overcommit } from "./room.ts";
import { createThrottle, DEFAULT_RATE_LIMIT, type RateLimit } from "./throttle.ts";
import { rememberRoutes } from "./unmatched.ts";

export interface AppOptions {
  readonly store: Store;
  readonly encryption: Encryption;
  /** The host name in the endpoints of a region's services. */
  readonly endpointHost: (regionCode: string) => string;
  /** Left out: there are no logs. */
  readonly readLogs?: ReadLogs;
  /** The built web console, served at the root. Left out: there is none. */
  readonly consoleFolder?: string;
  /** Left out: there are no databases. */
  readonly runQuery?: RunQuery;
  /** Of pino. Left out: nothing is logged. It should redact, as src/lib/log.ts does. */
  readonly log?: FastifyBaseLogger;
  readonly basePath?: string;
  /** On offer; left out: the contract's defaults. */
  readonly sizes?: readonly DedicatedSize[];
  /** How many times over what a region has may be promised. */
  readonly cpuOvercommit?: number;
  readonly memoryOvercommit?: number;
  readonly rateLimit?: RateLimit;
  /** What passes events on. Left out: one of the app's own, which looks once a second. */
  readonly feed?: Feed;
  /** Where the audit is kept, on connections that need not wait for the disk. Left out: the store. */
  readonly journal?: Pick<Store, "db">;
  /** Where webhooks may go beside the public internet; CIDRs. */
  readonly webhookAllow?: readonly string[];
  /** CIDRs of proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies?: readonly string[];
  /** Left out: nothing is known of it but since when the app is there. */
  readonly installation?: Installation;
}

const DEFAULT_BASE_PATH = "/api/v1";
const DEFAULT_OVERCOMMIT: Overcommit = { cpu: 8, memory: 2 };
const REQUEST_TIMEOUT_MS = 30_000;
/** As long as Node lets a request's head be: an id of any length is answered by the operation it is meant for. */
const MAX_PARAMETER_LENGTH = 16 * 1024;

const OPERATIONS = [
  getAuthInfo,
  logOut,
  createSignInLink,
  signIn,
  getOperatorOverview,
  recordAnalytics,
  listProjects,
  listRegions,
  listServices,
  createService,
  getService,
  deleteService,
  setHa,
  resizeService,
  getServiceEvents,
  getPlan,
  listNodes,
  listEvents,
  listWebhooks,
  createWebhook,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
  listWebhookDeliveries,
  redeliverWebhook,
  listAuditRecords,
  getServiceLogs,
  queryService,
  listMetricSeries,
  getMetricSeries,
  getProjectMetrics,
  getProjectMetricSeries,
  stopService,
  switchover,
  startService,
  renameService,
  setEnvironment,
  updatePassword,
  enablePooler,
  disablePooler,
  forkService,
  listVpcs,
  createVpc,
  getVpc,
  deleteVpc,
  renameVpc,
  listPeerings,
  createPeering,
  getPeering,
  deletePeering,
  attachToVpc,
  detachFromVpc,
  getAllowList,
  setAllowList,
  getDeletionProtection,
  setDeletionProtection,
  listParameters,
  changeParameters,
  listReadReplicaSets,
  createReadReplicaSet,
  resizeReadReplicaSet,
  enableReadReplicaSetPooler,
  disableReadReplicaSetPooler,
  setReadReplicaSetEnvironment,
  deleteReadReplicaSet,
];

export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { store, basePath = DEFAULT_BASE_PATH } = options;
  const app = createServer(options);
  const streams = openStreams(app, options);
  const audit = createAudit(options.journal ?? store);
  const metrics = createMetrics(store);
  const throttle = await createThrottle(app, options.rateLimit ?? DEFAULT_RATE_LIMIT);
  const context = contextOf(options, { streams, audit, throttle });
  const whyUnmatched = rememberRoutes(app);

  app.setErrorHandler(handleError);
  acceptJsonOnly(app);
  // Answers are small, and the tests hold them to their schemas; a serializer of its own would only hide mistakes.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  app.decorateRequest("caller", null);
  app.decorateRequest("auditRecord", null);
  app.decorateRequest("mayHaveChanged", false);
  app.decorateRequest("refusal", null);

  app.addHook("onRequest", async (request, reply) => {
    reply.headers({ ...SAFETY_HEADERS, "x-request-id": request.id });
    if (request.routeOptions.config.access !== "probe") await throttle.request(request);
    if (request.is404) throw whyUnmatched(request);
  });
  app.addHook("onResponse", async (request, reply) => record(metrics, request, reply));
  app.setNotFoundHandler((request) => {
    throw whyUnmatched(request);
  });

  await describeApi(app, basePath);
  addProbes(app, store, metrics);
  if (options.consoleFolder !== undefined) await serveConsole(app, options.consoleFolder);
  await app.register(
    async (scope) => {
      const api = scope.withTypeProvider<TypeBoxTypeProvider>();
      api.addHook("onRequest", authorize(store, throttle, audit));
      // What was read, validated and is allowed begins to change things after this.
      api.addHook("preHandler", (request) => audit.begun(request));
      api.addHook("onResponse", (request, reply) => audit.end(request, reply.statusCode, request.log));
      serveDocument(api);
      for (const operation of OPERATIONS) operation(api, context);
    },
    { prefix: basePath },
  );
  return app;
}

/** Streams never end by themselves, so they are ended before the server waits for what is under way. */
function openStreams(app: FastifyInstance, { store, feed }: AppOptions): EventHub {
  const running = feed ?? startFeed({ db: store.db, render: renderWebhookBody });
  const streams = createEventHub(store.db, running);
  app.addHook("preClose", async () => streams.close());
  if (!feed) app.addHook("onClose", () => running.stop());
  return streams;
}

function createServer({ log, trustedProxies = [] }: AppOptions): FastifyInstance {
  return fastify({
    ...(log ? { loggerInstance: log } : {}),
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    // One line a request, written where it ends.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "requestId" }),
    requestIdHeader: false,
    genReqId: ({ headers }) => requestId(headers["x-request-id"]),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
    rewriteUrl: ({ url = "/" }) => decodable(url),
    clientErrorHandler: answerBrokenHttp,
    ajv: {
      customOptions: {
        removeAdditional: false,
        coerceTypes: false,
        allErrors: true,
        verbose: true,
        allowUnionTypes: true,
      },
    },
  });
}

type Own = Pick<ApiContext, "streams" | "audit" | "throttle">;

function contextOf(options: AppOptions, own: Own): ApiContext {
  return {
    ...own,
    webhookAllow: options.webhookAllow ?? [],
    store: options.store,
    encryption: options.encryption,
    sizes: options.sizes ?? parseSizes(DEFAULT_SIZES),
    overcommit: {
      cpu: options.cpuOvercommit ?? DEFAULT_OVERCOMMIT.cpu,
      memory: options.memoryOvercommit ?? DEFAULT_OVERCOMMIT.memory,
    },
    endpointHost: options.endpointHost,
    readLogs: options.readLogs ?? (async () => null),
    runQuery: options.runQuery ?? (async () => null),
    installation: options.installation ?? { version: "", startedAt: new Date(), settings: [] },
  };
}

const SAFETY_HEADERS = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

/** The client's own, where it is one that a log can take. */
function requestId(given: string | string[] | undefined): string {
  return typeof given === "string" && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
}

/** Percent signs that encode nothing stand for themselves: such an id exists nowhere, and is answered so. */
function decodable(url: string): string {
  try {
    decodeURIComponent(url);
    return url;
  } catch {
    return url.replaceAll("%", "%25");
  }
}

/** Neither the query nor a header nor a body is ever logged. */
function record(
  metrics: Metrics,
  request: FastifyRequest,
  reply: { statusCode: number; elapsedTime: number },
): void {
  const { method, url } = request;
  const { config, url: route = "unmatched" } = request.routeOptions;
  const status = reply.statusCode;
  metrics.observeRequest({ method, route, status, seconds: reply.elapsedTime / 1000 });
  const level = status >= 500 ? "warn" : config.access === "probe" ? "debug" : "info";
  request.log[level](
    {
      method,
      path: url.split("?")[0],
      status,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ...(request.caller ? { key: request.caller.publicKey } : {}),
    },
    "request",
  );
}
