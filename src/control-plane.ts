/** The control plane, put together: store, API, reconciler and upkeep over one platform. */
import { hostname } from "node:os";
import { createApp } from "./api/app.ts";
import { consoleUrl } from "./contract/console-url.ts";
import { type Feed, startFeed } from "./feed/feed.ts";
import { renderWebhookBody } from "./feed/present-event.ts";
import { startRetention } from "./feed/retention.ts";
import { systemClock } from "./lib/clock.ts";
import type { Config } from "./lib/config.ts";
import type { Home } from "./lib/home.ts";
import type { Log } from "./lib/log.ts";
import { reachableAddresses } from "./lib/reachable-addresses.ts";
import { settingsInForce } from "./lib/settings-in-force.ts";
import { readVersion } from "./lib/version.ts";
import type { Platform } from "./platforms/platform.ts";
import { createQueryRunner, locateOn } from "./query/query-runner.ts";
import { startReconciler } from "./reconciler/loop.ts";
import { keepRegion, type RegionBook, startRegionUpkeep } from "./reconciler/region-upkeep.ts";
import { keepVpcs, startVpcUpkeep, type VpcBook } from "./reconciler/vpc-upkeep.ts";
import { ensureCredentials } from "./setup/credentials.ts";
import type { Credentials } from "./setup/credentials-file.ts";
import { connect, migrate, type Store } from "./store/db.ts";
import { createEncryption, type Encryption } from "./store/encryption.ts";
import { usableKeys } from "./store/keys.ts";
import { listenForDue, listenForEvents } from "./store/listen-for-due.ts";
import { keepMetrics, writeSamples } from "./store/metric-samples.ts";
import { createReconcileQueue, makeAllDue, releaseLeases } from "./store/reconcile-queue.ts";
import { addPorts, portStock, reportRegion, reportRegionProblem, takenPorts } from "./store/regions.ts";
import { forgetAuditRecords, forgetEvents } from "./store/retention.ts";
import { runningServices } from "./store/running-services.ts";
import { createSignInLink, forgetSessions } from "./store/sign-in-links.ts";
import { notePeering, noteVpc, reportUsedRanges, wantedVpcs } from "./store/vpc-networks.ts";
import { tidyDeliveries } from "./store/webhook-queue.ts";
import { createLogReader } from "./telemetry/read-logs.ts";
import { type SampleBook, startSampler } from "./telemetry/sampler.ts";
import { type Dispatcher, startDispatcher } from "./webhooks/dispatcher.ts";
import { resolveHost } from "./webhooks/resolve.ts";

export interface ControlPlaneOptions {
  readonly config: Config;
  readonly home: Home;
  readonly databaseUrl: string;
  readonly regionCode: string;
  /** The built web console; null: there is none. */
  readonly consoleFolder: string | null;
  /** Closed with the control plane. */
  readonly platform: Promise<Platform>;
  readonly log: Log;
}

export interface ControlPlane {
  readonly credentials: Credentials;
  readonly docsUrl: string;
  /** With a link that signs in once, unless the operator's key was revoked. */
  readonly consoleUrl: string;
  /** Answers no more, begins nothing more, and ends within a few seconds. The databases go on. */
  stop(): Promise<void>;
}

const BASE_PATH = "/api/v1";
const LEASE_MS = 10_000;
const RATE_WINDOW_MS = 10_000;
const JOURNAL_CONNECTIONS = 4;

/** Migrates the store, then serves. Throws what the state database, the platform or the port throw. */
export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const { config, home, databaseUrl, regionCode, log } = options;
  const onConnectionLost = (error: Error) =>
    log.debug({ err: error }, "a connection to the state database broke");
  const store = connect({ databaseUrl, onConnectionLost });
  // Whatever a pass writes down, the next pass would find again: it need not wait for the disk.
  const notebook = connect({
    databaseUrl,
    onConnectionLost,
    applicationName: "howdah reconciler",
    durable: false,
  });
  // What it records is on disk with the change that it is about, whose commit waits for that.
  const journal = connect({
    databaseUrl,
    onConnectionLost,
    applicationName: "howdah audit",
    durable: false,
    poolSize: JOURNAL_CONNECTIONS,
  });
  const closeStores = () => Promise.allSettled([store.close(), notebook.close(), journal.close()]);
  let feed: Feed | null = null;
  try {
    const [platform] = await Promise.all([options.platform, migrate(databaseUrl)]);
    const platforms = new Map([[regionCode, platform]]);
    const origin = `http://${inUrl(reachable(config.host))}:${config.port}`;
    const credentials = await ensureCredentials(store, home.folder, `${origin}${BASE_PATH}`);
    const encryption = createEncryption(home.masterKey);
    feed = startFeed({
      db: store.db,
      render: renderWebhookBody,
      listen: (onEvents, signal) => listenForEvents(databaseUrl, onEvents, signal),
      log: log.child({ part: "feed" }),
    });
    const passingOn = feed;
    const app = await createApp({
      feed,
      journal,
      webhookAllow: config.webhookAllow,
      trustedProxies: config.trustedProxies,
      store,
      encryption,
      endpointHost: () => config.publicHost,
      readLogs: createLogReader(platforms),
      ...(options.consoleFolder === null ? {} : { consoleFolder: options.consoleFolder }),
      runQuery: createQueryRunner(locateOn(platforms)),
      log: log.child({ part: "api" }),
      basePath: BASE_PATH,
      sizes: config.sizes,
      cpuOvercommit: config.cpuOvercommit,
      memoryOvercommit: config.memoryOvercommit,
      rateLimit: { max: config.rateLimit, windowMs: RATE_WINDOW_MS },
      installation: { version: readVersion(), startedAt: new Date(), settings: settingsInForce(config) },
    });
    const book = regionBook(store);
    await keepRegion(book, regionCode, platform);
    const vpcs = vpcBook(store);
    await keepVpcs(vpcs, regionCode, platform);
    await app.listen({ host: config.host, port: config.port });

    const signIn = await signInUrl(store, credentials);
    const dispatcher = startWebhooks(feed, store, encryption, options);
    const forgetting = startRetention(
      [
        () => forgetEvents(store.db, config.eventDays),
        () => forgetAuditRecords(store.db, config.auditDays),
        () => tidyDeliveries(store.db),
        () => forgetSessions(store.db),
      ],
      log.child({ part: "upkeep" }),
    );
    const upkeep = startRegionUpkeep(book, platforms, log.child({ part: "upkeep" }));
    const vpcUpkeep = startVpcUpkeep(vpcs, platforms, log.child({ part: "vpcs" }));
    // The lock of the home tells that whoever held leases under this name is dead.
    const holder = `${hostname()} ${home.installationId}`;
    await releaseLeases(store.db, holder);
    await makeAllDue(store.db);
    const reconciler = startReconciler({
      queue: createReconcileQueue(notebook.db, encryption, holder, LEASE_MS),
      platforms,
      listen: (onDue, signal) =>
        listenForDue(
          databaseUrl,
          () => {
            onDue();
            upkeep.poke();
            vpcUpkeep.poke();
          },
          signal,
        ),
      concurrency: config.concurrency,
      leaseMs: LEASE_MS,
      clock: systemClock,
      log: log.child({ part: "reconciler" }),
    });
    const sampler = startSampler({
      book: sampleBook(notebook, encryption, [...platforms.keys()]),
      platforms,
      clock: systemClock,
      log: log.child({ part: "sampler" }),
    });
    return {
      credentials,
      docsUrl: `${origin}/docs`,
      consoleUrl: signIn,
      async stop() {
        // Clients that keep their connections open would hold up the end.
        app.server.closeIdleConnections();
        await Promise.allSettled([
          app.close(),
          reconciler.stop(),
          upkeep.stop(),
          vpcUpkeep.stop(),
          sampler.stop(),
          dispatcher.stop(),
          forgetting.stop(),
          passingOn.stop(),
        ]);
        await Promise.allSettled([platform.close(), closeStores()]);
      },
    };
  } catch (error) {
    await feed?.stop();
    await closeStores();
    throw error;
  }
}

async function signInUrl({ db }: Store, credentials: Credentials): Promise<string> {
  const { api_url: apiUrl, public_key: publicKey } = credentials;
  const usable = (await usableKeys(db, [publicKey])).has(publicKey);
  return consoleUrl(apiUrl, usable ? (await createSignInLink(db, publicKey)).token : null);
}

/** Woken by every batch of events, since webhooks may want some of it. */
function startWebhooks(
  feed: Feed,
  { db }: Store,
  encryption: Encryption,
  { config, log }: ControlPlaneOptions,
): Dispatcher {
  const dispatcher = startDispatcher({
    db,
    encryption,
    reachable: reachableAddresses(config.webhookAllow),
    resolve: resolveHost,
    clock: systemClock,
    log: log.child({ part: "webhooks" }),
  });
  feed.subscribe(() => dispatcher.poke());
  return dispatcher;
}

function regionBook({ db }: Store): RegionBook {
  return {
    report: (code, capacity) => reportRegion(db, code, capacity),
    reportProblem: (code, message) => reportRegionProblem(db, code, message),
    spareCount: (code) => portStock(db, code),
    taken: (code) => takenPorts(db, code),
    add: (code, ports) => addPorts(db, code, ports),
  };
}

function vpcBook({ db }: Store): VpcBook {
  return {
    wanted: (code) => wantedVpcs(db, code),
    reportUsedRanges: (code, ranges) => reportUsedRanges(db, code, ranges),
    noteVpc: (vpcId, found) => noteVpc(db, vpcId, found),
    notePeering: (peeringId, found) => notePeering(db, peeringId, found),
  };
}

function sampleBook(store: Store, encryption: Encryption, regionCodes: readonly string[]): SampleBook {
  return {
    services: () => runningServices(store.db, encryption, regionCodes),
    write: (samples) => writeSamples(store, samples),
    keep: (now) => keepMetrics(store, now),
  };
}

/** An address that means "all of them" is none to connect to; on this machine, the loopback is. */
function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  return host === "::" ? "::1" : host;
}

function inUrl(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
