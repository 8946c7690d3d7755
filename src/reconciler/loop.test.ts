import { setImmediate } from "node:timers/promises";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { dueService } from "../../test/support/due-service.ts";
import { eventually } from "../../test/support/eventually.ts";
import { systemClock } from "../lib/clock.ts";
import { logTo } from "../lib/log.ts";
import type { Platform } from "../platforms/platform.ts";
import { createSimulatedPlatform } from "../platforms/simulated/simulated-platform.ts";
import type { DueService } from "../store/due-service.ts";
import type { PassResult } from "../store/pass-result.ts";
import type { ReconcileQueue } from "../store/reconcile-queue.ts";
import { type Reconciler, type ReconcilerOptions, startReconciler } from "./loop.ts";

/** A queue in memory that remembers what was finished; each service is handed out until it is finished. */
class MemoryQueue implements ReconcileQueue {
  readonly due: DueService[] = [];
  readonly finished: { serviceId: string; result: PassResult }[] = [];
  readonly renewed: string[] = [];
  failure: Error | null = null;

  #reach(): void {
    if (this.failure) throw this.failure;
  }
  async claimDue(limit: number) {
    this.#reach();
    return this.due.splice(0, limit);
  }
  async nextDueInMs() {
    this.#reach();
    return this.due.length > 0 ? 0 : null;
  }
  async renew(ids: readonly string[]) {
    this.#reach();
    this.renewed.push(...ids);
    return ids;
  }
  async announce() {
    this.#reach();
    return true;
  }
  async finish({ serviceId }: DueService, result: PassResult) {
    this.#reach();
    this.finished.push({ serviceId, result });
    return true;
  }
  async forget() {
    this.#reach();
    return true;
  }
  async makeDue(serviceId: string) {
    this.#reach();
    this.due.push(dueService({ serviceId }));
  }
}

let queue: MemoryQueue;
let running: Reconciler[];
let ring: () => void;

beforeEach(() => {
  queue = new MemoryQueue();
  running = [];
  ring = () => undefined;
});
afterEach(async () => {
  for (const reconciler of running) await reconciler.stop();
});

function start(platform: Platform, changes: Partial<ReconcilerOptions> = {}): Reconciler {
  const reconciler = startReconciler({
    queue,
    platforms: new Map([["local", platform]]),
    listen: async (onDue) => {
      ring = onDue;
    },
    concurrency: 2,
    leaseMs: 10_000,
    clock: systemClock,
    log: pino({ enabled: false }),
    ...changes,
  });
  running.push(reconciler);
  return reconciler;
}

/** A platform on which every look lasts until it is let go. */
function slowPlatform() {
  const looking: { serviceId: string; letGo: () => void }[] = [];
  const simulated = createSimulatedPlatform();
  const executed: string[] = [];
  const platform: Platform = {
    ...simulated,
    async observe(service) {
      await new Promise<void>((letGo) => looking.push({ serviceId: service.serviceId, letGo }));
      return simulated.observe(service);
    },
    async execute(step, service) {
      executed.push(step.kind);
      return simulated.execute(step, service);
    },
  };
  return { platform, looking, executed };
}

test("a ring makes it look at once, not at the next tick of the clock", async () => {
  // A clock that never ticks.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    start(createSimulatedPlatform());
    await turns(() => false);
    queue.due.push(dueService());
    await turns(() => false);
    expect(queue.finished).toHaveLength(0);
    ring();
    await turns(() => queue.finished.length > 0);
    expect(queue.finished).toHaveLength(1);
  } finally {
    vi.useRealTimers();
  }
});

/** Lets all go on that waits for no clock, until it is so. */
async function turns(isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < 100 && !isSo(); turn += 1) await setImmediate();
}

test("without any ring it looks by the clock", async () => {
  start(createSimulatedPlatform());
  queue.due.push(dueService());
  await eventually(() => expect(queue.finished).toHaveLength(1));
});

test("no more services are worked on at a time than allowed, and the next begins when one ends", async () => {
  const { platform, looking } = slowPlatform();
  queue.due.push(...["a", "b", "c"].map((serviceId) => dueService({ serviceId })));
  start(platform, { concurrency: 2 });
  await eventually(() => expect(looking).toHaveLength(2));
  ring();
  expect(queue.due).toHaveLength(1);
  looking[0]?.letGo();
  await eventually(() => expect(looking.map(({ serviceId }) => serviceId)).toEqual(["a", "b", "c"]));
  for (const { letGo } of looking) letGo();
});

test("passes over one service never overlap, even when its lease ran out meanwhile", async () => {
  const { platform, looking } = slowPlatform();
  queue.due.push(dueService());
  start(platform);
  await eventually(() => expect(looking).toHaveLength(1));
  queue.due.push(dueService());
  ring();
  await eventually(() => expect(queue.due).toHaveLength(0));
  expect(looking).toHaveLength(1);
  looking[0]?.letGo();
  await eventually(() => expect(queue.finished).toHaveLength(1));
});

test("leases are renewed while a pass runs", async () => {
  const { platform, looking } = slowPlatform();
  queue.due.push(dueService());
  start(platform, { leaseMs: 60 });
  await eventually(() => expect(queue.renewed.length).toBeGreaterThan(2));
  looking[0]?.letGo();
});

test("a pass whose lease ran out changes nothing any more", async () => {
  const { platform, looking, executed } = slowPlatform();
  queue.due.push(dueService());
  let skewMs = 0;
  start(platform, { clock: { now: () => new Date(Date.now() + skewMs) } });
  await eventually(() => expect(looking).toHaveLength(1));
  skewMs = 20_000;
  looking[0]?.letGo();
  await eventually(() => expect(queue.finished).toHaveLength(1));
  expect(executed).toEqual([]);
});

test("told to stop, it gives a pass back that has changed nothing yet, as it was", async () => {
  const { platform, looking, executed } = slowPlatform();
  queue.due.push(dueService());
  const reconciler = start(platform);
  await eventually(() => expect(looking).toHaveLength(1));
  const stopped = reconciler.stop();
  looking[0]?.letGo();
  await stopped;
  expect(executed).toEqual([]);
  expect(queue.finished).toMatchObject([{ result: { status: "QUEUED", dueInMs: 0, events: [] } }]);
});

test("told to stop during a step, it lets the step end and writes what came of it", async () => {
  const simulated = createSimulatedPlatform();
  const executing: (() => void)[] = [];
  queue.due.push(dueService());
  const reconciler = start({
    ...simulated,
    async execute(step, service) {
      await new Promise<void>((letGo) => executing.push(letGo));
      return simulated.execute(step, service);
    },
  });
  await eventually(() => expect(executing).toHaveLength(1));
  const stopped = reconciler.stop();
  executing[0]?.();
  await stopped;
  expect(queue.finished).toMatchObject([{ result: { status: "CONFIGURING" } }]);
});

test("what the platform tells makes the service due", async () => {
  const simulated = createSimulatedPlatform();
  start({ ...simulated, watch: (changed) => changed("seen-by-platform") });
  await eventually(() => expect(queue.finished).toMatchObject([{ serviceId: "seen-by-platform" }]));
});

test("an outage of the state database is logged once, and work goes on when it is over", async () => {
  const lines: string[] = [];
  queue.failure = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  queue.due.push(dueService());
  const claims = vi.spyOn(queue, "claimDue");
  start(createSimulatedPlatform(), { log: logTo({ write: (line) => lines.push(line) }, "warn") });
  await eventually(() => expect(claims.mock.calls.length).toBeGreaterThan(2));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("the state database cannot be reached");
  queue.failure = null;
  await eventually(() => expect(queue.finished).toHaveLength(1));
});
