/** A run against real containers: an installation of its own, services that are written to, faults, and what is left. */
import { setTimeout as delay } from "node:timers/promises";
import type Docker from "dockerode";
import { readInstallationId } from "../src/lib/home.ts";
import { purgeLabelled } from "../src/setup/down.ts";
import { whatCarries } from "../test/support/docker-engine.ts";
import { type Installation, makeInstallation } from "../test/support/installation.ts";
import {
  describeScheduled,
  type Request,
  type Scheduled,
  type ServiceFault,
  type Shape,
  type SharedFault,
} from "./fault.ts";
import { type Ground, makeService, type ServiceUnderTest } from "./service-under-test.ts";
import { killStandIn, strikeMember } from "./strike.ts";
import { type Evidence, judge, type Verdict } from "./verdicts.ts";

export interface RunOptions {
  readonly engine: Docker;
  readonly services: readonly Shape[];
  readonly schedule: readonly Scheduled[];
  readonly clients: number;
  readonly everyMs: number;
  /** The value of the label howdah.test that everything in the engine carries. */
  readonly label: string;
  /** The descriptor of a file for what the control plane writes. */
  readonly log: number;
  readonly signal: AbortSignal;
  /** Left out: the engine is not this run's to restart. */
  readonly restartEngine?: () => Promise<void>;
  /** Something has happened, told in a line. */
  readonly happened: (text: string) => void;
  /** The services are there, and being written to. */
  readonly began?: (services: readonly ServiceUnderTest[]) => void;
}

export interface Tested {
  readonly name: string;
  readonly evidence: Evidence;
  readonly verdicts: readonly Verdict[];
}

export interface Result {
  readonly services: readonly Tested[];
  /** What the engine still has of the installation, after everything of it was removed. */
  readonly left: readonly string[];
}

/** From the end of the last fault. */
const READY_DEADLINE_MS = 240_000;
const WRITES_DEADLINE_MS = 30_000;
const REMOVAL_DEADLINE_MS = 60_000;
const LOOK_EVERY_MS = 250;
const START_DEADLINE_MS = 60_000;

/** Whatever comes of it, nothing of the run is left in the engine. Throws where it cannot be done at all. */
export async function run(options: RunOptions): Promise<Result> {
  const { engine, label, log, happened } = options;
  const environment = { HOWDAH_LOG_LEVEL: "info", HOWDAH_SIZES: "500/2,1000/4" };
  const installation = await makeInstallation(label, { log, environment });
  const services: Tested[] = [];
  try {
    await installation.start();
    services.push(...(await tormented(options, installation)));
  } finally {
    happened("everything is removed");
    await installation
      .dispose()
      .catch((error: unknown) => happened(`it could not be purged: ${String(error)}`));
  }
  const left = await whatCarries(engine, `howdah.test=${label}`);
  await purgeLabelled(engine, `howdah.test=${label}`);
  return { services, left };
}

async function tormented(options: RunOptions, installation: Installation): Promise<readonly Tested[]> {
  const { engine, signal, happened } = options;
  const ground: Ground = { engine, installation, clients: options.clients, everyMs: options.everyMs };
  const services = await Promise.all(options.services.map((shape) => makeService(ground, shape)));
  const looking = new AbortController();
  const watched = watch(services, looking.signal, happened);
  try {
    options.began?.(services);
    await torment({ ...options, installation, services });
    signal.throwIfAborted();
    happened("no more faults; every service is to come to READY by itself");
    const ends = await Promise.all(services.map((service) => comeToRest(service, happened, signal)));
    signal.throwIfAborted();
    return await Promise.all(
      services.map(async (service, at) => {
        const evidence = await gather(service, ends[at] ?? null, happened);
        return { name: service.shape.name, evidence, verdicts: judge(evidence) };
      }),
    );
  } finally {
    looking.abort();
    await Promise.all([watched, ...services.map((service) => service.stopWriting())]);
  }
}

/** Follows the status of each, until the signal aborts. */
async function watch(
  services: readonly ServiceUnderTest[],
  signal: AbortSignal,
  happened: (text: string) => void,
): Promise<void> {
  const follow = async (service: ServiceUnderTest) => {
    while (!signal.aborted) {
      const before = service.status;
      const status = await service.look();
      if (status !== null && status !== before) happened(`${service.shape.name} is ${status}`);
      await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  };
  await Promise.all(services.map(follow));
}

interface Torment extends Omit<RunOptions, "services"> {
  readonly installation: Installation;
  readonly services: readonly ServiceUnderTest[];
}

/** Returns when every fault has happened and was undone. */
async function torment(options: Torment): Promise<void> {
  const { schedule, signal, services, happened } = options;
  const startedAt = performance.now();
  const underway: Promise<void>[] = [];
  for (const scheduled of schedule) {
    const wait = scheduled.atMs - (performance.now() - startedAt);
    await delay(Math.max(0, wait), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) break;
    const told = (outcome: string) => happened(`${describeScheduled(scheduled)} → ${outcome}`);
    const service = services.find(({ shape }) => shape.name === scheduled.service);
    const strike =
      scheduled.service === null
        ? strikeShared(scheduled.fault, told, options)
        : service
          ? strikeService(service, scheduled.fault, told, options)
          : Promise.reject(new Error("there is no such service"));
    // What an engine refuses, such as to pause what is paused, is part of it.
    underway.push(
      strike.catch((error: unknown) => told(error instanceof Error ? error.message : String(error))),
    );
  }
  await Promise.all(underway);
}

async function strikeService(
  service: ServiceUnderTest,
  fault: ServiceFault,
  told: (outcome: string) => void,
  { engine, installation, signal }: Torment,
): Promise<void> {
  switch (fault.kind) {
    case "killMember":
    case "killPostmaster":
    case "pauseMember":
    case "stopProcesses":
    case "cutNetwork":
      return strikeMember(engine, service.id, fault, told, signal);
    case "killGateway":
    case "killPooler": {
      const role = fault.kind === "killGateway" ? "gateway" : "pooler";
      const installationId = await idOf(installation);
      return told(await killStandIn(engine, role, { installation: installationId, service: service.id }));
    }
    case "setHA":
    case "resize":
    case "switchover":
      return told(await service.ask(fault));
    case "stop":
      return stopAWhile(service, fault, told, signal);
  }
}

async function stopAWhile(
  service: ServiceUnderTest,
  request: Extract<Request, { kind: "stop" }>,
  told: (outcome: string) => void,
  signal: AbortSignal,
): Promise<void> {
  told(await service.ask(request));
  await delay(request.forMs, undefined, { signal }).catch(() => undefined);
  await startAgain(service, signal);
}

/** It may not be stopped, or nobody may answer; both are a matter of time. */
async function startAgain(service: ServiceUnderTest, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + START_DEADLINE_MS;
  while (performance.now() < deadline && !signal.aborted) {
    const answer = await service.ask({ kind: "start" });
    // 400: it runs, or is on its way.
    if (answer === "202" || answer === "400") return;
    await delay(LOOK_EVERY_MS);
  }
}

async function strikeShared(
  fault: SharedFault,
  told: (outcome: string) => void,
  { engine, installation, signal, restartEngine }: Torment,
): Promise<void> {
  switch (fault.kind) {
    case "killEtcd":
      return told(await killStandIn(engine, "etcd", { installation: await idOf(installation) }));
    case "restartEngine":
      if (!restartEngine) return told("it is not this run's to restart");
      await restartEngine();
      return told("restarted");
    case "killControlPlane":
      if (!(await isUp(installation))) return told("it is not up");
      await installation.kill();
      told("killed");
      await delay(fault.forMs, undefined, { signal }).catch(() => undefined);
      await installation.start();
      return told("it is back");
  }
}

async function isUp(installation: Installation): Promise<boolean> {
  try {
    const answer = await installation.request("GET", "");
    await answer.arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

async function idOf({ home }: Installation): Promise<string> {
  return (await readInstallationId(home)) ?? "";
}

interface Rest {
  readonly readyAfterMs: number | null;
  readonly serves: Evidence["serves"];
}

async function comeToRest(
  service: ServiceUnderTest,
  happened: (text: string) => void,
  signal: AbortSignal,
): Promise<Rest> {
  const startedAt = performance.now();
  const elapsedMs = () => performance.now() - startedAt;
  const untilReady = async () => {
    while ((await service.look()) !== "READY") {
      if (elapsedMs() > READY_DEADLINE_MS || signal.aborted) return false;
      await delay(LOOK_EVERY_MS);
    }
    return true;
  };
  // A stop that was taken without an answer, and whose start was not, is nobody's wish.
  if (["PAUSED", "PAUSING"].includes((await service.look()) ?? "")) await startAgain(service, signal);
  if (!(await untilReady())) return { readyAfterMs: null, serves: {} };
  const serves = await service.takesWrites(WRITES_DEADLINE_MS);
  // Once more: the first may have been told before the last fault was seen.
  if (!(await untilReady())) return { readyAfterMs: null, serves };
  const readyAfterMs = elapsedMs();
  happened(`${service.shape.name} is READY ${(readyAfterMs / 1000).toFixed(1)} s after the last fault`);
  return { readyAfterMs, serves };
}

async function gather(
  service: ServiceUnderTest,
  rest: Rest | null,
  happened: (text: string) => void,
): Promise<Evidence> {
  await service.stopWriting();
  const { ledger, promises } = service;
  happened(`${service.shape.name} is read back`);
  const seen = {
    writes: ledger.writes,
    rows: await service.rows(),
    histories: await service.histories(),
    promised: promises.now,
    keptSince: promises.keptSince,
    readyAfterMs: rest?.readyAfterMs ?? null,
    serves: rest?.serves ?? {},
  };
  return { ...seen, left: await service.remove(REMOVAL_DEADLINE_MS) };
}
