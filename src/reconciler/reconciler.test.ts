/** The reconciler on the real store: what a client would see while it works, dies and is replaced. */
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually } from "../../test/support/eventually.ts";
import { SMALL, serviceIdentity } from "../../test/support/services.ts";
import { openTestStore } from "../../test/support/store.ts";
import { systemClock } from "../lib/clock.ts";
import type { Platform } from "../platforms/platform.ts";
import { Faults } from "../platforms/simulated/faults.ts";
import type { SimulatedClock } from "../platforms/simulated/simulated-clock.ts";
import { createSimulatedPlatform } from "../platforms/simulated/simulated-platform.ts";
import { Simulation } from "../platforms/simulated/simulation.ts";
import { createService } from "../store/create-service.ts";
import { deleteService } from "../store/delete-service.ts";
import { listEvents } from "../store/events.ts";
import { listenForDue } from "../store/listen-for-due.ts";
import { createReconcileQueue, type ReconcileQueue, releaseLeases } from "../store/reconcile-queue.ts";
import { firstShape } from "../store/service-row.ts";
import { changeShape, getService } from "../store/services.ts";
import { type Reconciler, startReconciler } from "./loop.ts";

/** Longer than a busy machine keeps a process waiting: who still lives is not replaced. */
const LEASE_MS = 10_000;
/** Of one that is killed, so that nobody has to wait long for its heir. */
const SHORT_LEASE_MS = 1_500;
/** Longer than any test, in the time of the databases. */
const FOR_EVER_MS = 3_600_000;

const { store, encryption, databaseUrl, projectId, regionCode } = await openTestStore();
const { db } = store;

/** The databases live ten times as fast as the reconciler. */
const startedAtMs = Date.now();
const fastTime: SimulatedClock = {
  now: () => new Date(startedAtMs + 10 * (Date.now() - startedAtMs)),
  follow(passed, signal) {
    const timer = setInterval(passed, 20);
    signal.addEventListener("abort", () => clearInterval(timer), { once: true });
  },
};

let faults: Faults;
let platform: Platform;
const running: Reconciler[] = [];

beforeEach(() => {
  const simulation = new Simulation(fastTime);
  faults = new Faults(simulation);
  platform = faults.disturb(createSimulatedPlatform({ simulation }));
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((reconciler) => reconciler.stop()));
});

function queueOf(holder: string, leaseMs = LEASE_MS): ReconcileQueue {
  return createReconcileQueue(db, encryption, holder, leaseMs);
}

function start(holder: string, on = platform, queue = queueOf(holder)): Reconciler {
  const reconciler = startReconciler({
    queue,
    platforms: new Map([[regionCode, on]]),
    listen: (onDue, signal) => listenForDue(databaseUrl, onDue, signal),
    concurrency: 4,
    leaseMs: LEASE_MS,
    clock: systemClock,
    log: pino({ enabled: false }),
  });
  running.push(reconciler);
  return reconciler;
}

async function create(replicaCount = 0): Promise<string> {
  const outcome = await createService(db, encryption, {
    projectId,
    actor: "key:test",
    name: "orders",
    addons: [],
    environment: "DEV",
    shape: { ...firstShape(SMALL), replicaCount },
    forkedFrom: null,
    readsFrom: null,
    regionCode,
    secrets: serviceIdentity("unused", 1).secrets,
    endpointHost: () => "localhost",
    admit: () => null,
    message: "created by a test",
    respond: ({ id }) => id,
    idempotencyKey: null,
  });
  if (outcome.kind !== "created") throw new Error(outcome.kind);
  return outcome.response;
}

async function setReplicas(serviceId: string, replicaCount: number): Promise<void> {
  await changeShape(db, {
    projectId,
    serviceId,
    actor: "key:test",
    eventType: "service.setHA.accepted",
    decide: (current) => ({
      kind: "shape",
      shape: { ...current, replicaCount },
      message: "changed by a test",
    }),
    admit: () => null,
  });
}

const statusOf = async (serviceId: string) => (await getService(db, projectId, serviceId))?.status;
const becomes = (serviceId: string, status: string | undefined) =>
  eventually(async () => expect(await statusOf(serviceId)).toBe(status));

async function told(serviceId: string): Promise<readonly string[]> {
  const events = await listEvents(db, serviceId, { limit: 100 });
  return events.map(({ type, message }) => `${type}: ${message}`).toReversed();
}

/** A platform that gets stuck in the first step it executes, for ever: what a process killed in it leaves behind. */
function stuckInStep(on: Platform): { readonly platform: Platform; readonly stuck: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const execute: Platform["execute"] = async (step, service) => {
    await on.execute(step, service);
    resolve();
    return new Promise(() => undefined);
  };
  return { platform: { ...on, execute }, stuck: promise };
}

/** The queue of a process that is killed: nothing that it does later gets through. */
function mortal(queue: ReconcileQueue): { readonly queue: ReconcileQueue; readonly kill: () => void } {
  let alive = true;
  const whileAlive = async <T>(answer: () => Promise<T>): Promise<T> =>
    alive ? answer() : new Promise(() => undefined);
  return {
    queue: {
      claimDue: (limit, codes) => whileAlive(() => queue.claimDue(limit, codes)),
      nextDueInMs: (codes) => whileAlive(() => queue.nextDueInMs(codes)),
      renew: (ids) => whileAlive(() => queue.renew(ids)),
      announce: (service, news) => whileAlive(() => queue.announce(service, news)),
      finish: (service, result) => whileAlive(() => queue.finish(service, result)),
      forget: (service) => whileAlive(() => queue.forget(service)),
      makeDue: (id) => whileAlive(() => queue.makeDue(id)),
    },
    kill: () => {
      alive = false;
    },
  };
}

test("a create becomes READY, and its events tell the way", async () => {
  start("one");
  const id = await create();
  await becomes(id, "READY");
  const events = await told(id);
  expect(events[0]).toMatch(/^service\.create\.accepted/);
  expect(events).toContainEqual(expect.stringMatching(/^service\.status: QUEUED → CONFIGURING/));
  expect(events).toContainEqual(expect.stringMatching(/^service\.status: \w+ → READY/));
  expect(new Set(events).size).toBe(events.length);
});

test("a change is taken up at once, and a delete ends with the row gone and its events kept", async () => {
  start("one");
  const id = await create();
  await becomes(id, "READY");
  await setReplicas(id, 1);
  await becomes(id, "READY");
  const conditions = (await getService(db, projectId, id))?.conditions ?? [];
  expect(conditions.find(({ type }) => type === "Replicated")?.message).toContain("1 of 1 replicas stream");
  await deleteService(db, { projectId, serviceId: id, actor: "key:test" });
  await becomes(id, undefined);
  expect((await told(id)).at(-1)).toMatch(/^service\.deleted/);
});

test("killed in the middle of a step, it is replaced once its lease has expired, and the service becomes READY", async () => {
  const { platform: fatal, stuck } = stuckInStep(platform);
  const { queue, kill } = mortal(queueOf("victim", SHORT_LEASE_MS));
  const victim = start("victim", fatal, queue);
  const id = await create(1);
  await stuck;
  kill();
  running.splice(running.indexOf(victim), 1);
  start("heir");
  await becomes(id, "READY");
  expect(await told(id)).toContainEqual(expect.stringMatching(/copy of the primary/));
});

test("where the dead one is known to be dead, nobody waits for its lease to expire", async () => {
  const { platform: fatal, stuck } = stuckInStep(platform);
  const { queue, kill } = mortal(queueOf("victim"));
  const victim = start("victim", fatal, queue);
  const id = await create();
  await stuck;
  kill();
  running.splice(running.indexOf(victim), 1);
  await releaseLeases(db, "victim");
  const [taken] = await queueOf("heir").claimDue(10, [regionCode]);
  expect(taken?.serviceId).toBe(id);
});

test("a request that comes during a pass is not lost, and not answered with the status of before", async () => {
  const gate = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const id = await create();
  const queue = queueOf("one");
  start(
    "one",
    {
      ...platform,
      async execute(step, service) {
        reached.resolve();
        await gate.promise;
        return platform.execute(step, service);
      },
    },
    queue,
  );
  await reached.promise;
  await setReplicas(id, 1);
  gate.resolve();
  await becomes(id, "READY");
  const conditions = (await getService(db, projectId, id))?.conditions ?? [];
  expect(conditions.find(({ type }) => type === "Replicated")?.message).toContain("1 of 1 replicas stream");
});

test("a platform that does not answer makes the service UNSTABLE, and it is READY again by itself", async () => {
  start("one");
  const id = await create();
  await becomes(id, "READY");
  faults.engineUnreachable(FOR_EVER_MS);
  await queueOf("outside").makeDue(id);
  await becomes(id, "UNSTABLE");
  expect((await getService(db, projectId, id))?.status_reason).toContain("the engine does not answer");
  faults.engineUnreachable(0);
  await becomes(id, "READY");
});

test("a primary that dies is seen at once, and the service becomes READY again by itself", async () => {
  start("one");
  const id = await create(1);
  await becomes(id, "READY");
  const before = (await told(id)).length;
  faults.killMember(id, 0);
  // How long it stays so is the databases' affair: the events have it for good.
  await eventually(async () => {
    const since = (await told(id)).slice(before);
    expect(since).toContainEqual(expect.stringMatching(/^service\.status: READY → UNSTABLE/));
    expect(since).toContainEqual(expect.stringMatching(/^service\.condition: Available is False/));
  });
  await becomes(id, "READY");
});

test("many services are made by two control planes together, none of them twice", async () => {
  start("one");
  start("two");
  const ids = await Promise.all(Array.from({ length: 12 }, () => create()));
  await Promise.all(ids.map((id) => becomes(id, "READY")));
  for (const id of ids) {
    const events = await told(id);
    expect(new Set(events).size).toBe(events.length);
  }
});
