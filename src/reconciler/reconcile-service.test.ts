import { beforeEach, describe, expect, test } from "vitest";
import { dueService } from "../../test/support/due-service.ts";
import { LARGE, SMALL, serviceIdentity } from "../../test/support/services.ts";
import type { StepOutcome } from "../planner/step.ts";
import type { Platform } from "../platforms/platform.ts";
import { Faults } from "../platforms/simulated/faults.ts";
import { VirtualClock } from "../platforms/simulated/simulated-clock.ts";
import { createSimulatedPlatform } from "../platforms/simulated/simulated-platform.ts";
import { Simulation } from "../platforms/simulated/simulation.ts";
import type { DueService } from "../store/due-service.ts";
import type { Announcement, PassResult } from "../store/pass-result.ts";
import { type Pass, type PassContext, reconcileService } from "./reconcile-service.ts";

let clock: VirtualClock;
let faults: Faults;
let platform: Platform;
let announced: Announcement[];

beforeEach(() => {
  announced = [];
  clock = new VirtualClock();
  const simulation = new Simulation(clock);
  faults = new Faults(simulation);
  platform = faults.disturb(createSimulatedPlatform({ simulation }));
});

function pass(
  service: DueService,
  changes: Partial<Pick<PassContext, "platform" | "mayAct" | "announce">> = {},
): Promise<Pass> {
  return reconcileService(service, {
    platform,
    clock,
    random: () => 0.5,
    mayAct: () => true,
    announce: async (_service, news) => {
      announced.push(news);
      return true;
    },
    ...changes,
  });
}

async function result(service: DueService, on = platform): Promise<PassResult> {
  announced = [];
  const outcome = await pass(service, { platform: on });
  if (outcome.kind !== "finished") throw new Error(`the pass ended as ${outcome.kind}`);
  return {
    ...outcome.result,
    events: [...announced.flatMap(({ events }) => events), ...outcome.result.events],
  };
}

/** What the store would hand out next. */
function after(
  service: DueService,
  { status, statusReason, conditions, inForce, waiting, attempts, settledGeneration, dueInMs }: PassResult,
): DueService {
  clock.advance(dueInMs);
  return {
    ...service,
    status,
    statusReason,
    conditions,
    inForce: inForce ?? service.inForce,
    waiting,
    attempts,
    settledGeneration: Math.max(service.settledGeneration, settledGeneration ?? 0),
  };
}

/** Passes until the condition holds; returns the service and all events on the way. */
async function until(service: DueService, holds: (service: DueService) => boolean) {
  const events: PassResult["events"][number][] = [];
  let current = service;
  for (let passes = 0; passes < 500; passes += 1) {
    const told = await result(current);
    events.push(...told.events);
    current = after(current, told);
    if (holds(current)) return { service: current, events };
  }
  throw new Error(`never came about: ${current.status}, ${current.statusReason}`);
}

const isReady = ({ status }: DueService) => status === "READY";

/** The simulated platform, except that each step ends as told. */
function ending(outcome: () => Promise<StepOutcome>): Platform {
  return { ...platform, execute: outcome };
}

test("a new service goes from QUEUED over CONFIGURING to READY, and its generation is in force", async () => {
  const first = await result(dueService());
  expect(first).toMatchObject({ status: "CONFIGURING", settledGeneration: null, dueInMs: 0 });
  const { service } = await until(dueService(), isReady);
  expect(service.settledGeneration).toBe(1);
});

test("each step on the way is told once, in the order of the steps", async () => {
  const { events } = await until(dueService({ replicaCount: 1 }), isReady);
  const steps = events.filter(({ type }) => type === "service.step").map(({ message }) => message);
  expect(new Set(steps).size).toBe(steps.length);
  expect(steps.slice(0, 2)).toEqual([
    "Preparing the network and the coordination of the service.",
    "Creating member 0 with a new database.",
  ]);
  expect(steps).toContain("Creating member 1 as a copy of the primary.");
});

test("a step is told before it is executed, with the status that goes with it", async () => {
  const toldBefore: string[] = [];
  const watched = ending(async () => {
    toldBefore.push(...announced.map(({ status, statusReason }) => `${status}: ${statusReason}`));
    return { kind: "done" };
  });
  await result(dueService(), watched);
  expect(toldBefore).toEqual(["CONFIGURING: No member takes writes."]);
});

test("what was seen is told with the step that it leads to, once, and with the end of any other pass", async () => {
  const identity = serviceIdentity(dueService().serviceId, 20_000);
  const seen = await platform.observe(identity);
  const stepped = await pass(dueService());
  expect(announced).toMatchObject([{ observation: { at: clock.now(), observed: seen } }]);
  expect(stepped.kind === "finished" && stepped.result.observation).toBeUndefined();
  const { service } = await until(dueService(), isReady);
  const rested = await result(service);
  expect(rested.observation).toEqual({ at: clock.now(), observed: await platform.observe(identity) });
});

test("where nothing could be seen, what was seen last stays", async () => {
  faults.engineUnreachable(5_000);
  expect((await result(dueService())).observation).toBeUndefined();
});

test("a step whose lease is lost at the last moment is not executed", async () => {
  let executed = false;
  const watched = ending(async () => {
    executed = true;
    return { kind: "done" };
  });
  const lost = await pass(dueService(), { platform: watched, announce: async () => false });
  expect(lost).toEqual({ kind: "givenUp" });
  expect(executed).toBe(false);
});

test("a condition that becomes true or changes is told", async () => {
  const { service, events } = await until(dueService(), isReady);
  const told = events.filter(({ type }) => type === "service.condition").map(({ data }) => data);
  expect(told).toContainEqual({ type: "Available", status: "True", reason: "PrimaryWritable" });
  faults.loseGateway(service.serviceId);
  const lost = await result(service);
  expect(lost.status).toBe("UNSTABLE");
  expect(lost.events.map(({ data }) => data)).toContainEqual({
    type: "Available",
    status: "False",
    reason: "EndpointClosed",
  });
});

test("a settled service is looked at again after ten seconds, and tells nothing new", async () => {
  const { service } = await until(dueService(), isReady);
  expect(await result(service)).toMatchObject({ dueInMs: 10_000, attempts: 0, events: [], status: "READY" });
});

test("a service that shall be absent is gone once nothing of it is left", async () => {
  const { service } = await until(dueService(), isReady);
  const removing: DueService = { ...service, presence: "absent", generation: 2, status: "DELETING" };
  const removed = await result(removing);
  expect(removed.status).toBe("DELETING");
  clock.advance(60_000);
  expect(await pass(after(removing, removed))).toEqual({ kind: "gone" });
});

describe("a wait", () => {
  test("is looked at often at first, then less often", async () => {
    const { service } = await until(dueService(), ({ waiting }) => waiting?.reason === "primary");
    const since = service.waiting?.since ?? clock.now();
    const silent: Platform = { ...platform, observe: () => platformBefore };
    const platformBefore = platform.observe(service.identity);
    const delays: number[] = [];
    for (const waitedMs of [0, 5_000, 20_000, 70_000]) {
      clock.advance(since.getTime() + waitedMs - clock.now().getTime());
      delays.push((await result({ ...service, waiting: { reason: "primary", since } }, silent)).dueInMs);
    }
    expect(delays).toEqual([100, 500, 1_000, 5_000]);
  });

  test("keeps the time at which it began, and starts anew for another reason", async () => {
    const waits = ending(async () => ({ kind: "wait", why: "it pulls" }));
    const first = await result(dueService(), waits);
    expect(first.waiting).toEqual({ reason: "step:ensureFoundation", since: clock.now() });
    const began = clock.now();
    clock.advance(5_000);
    const second = await result({ ...dueService(), waiting: first.waiting }, waits);
    expect(second.waiting?.since).toEqual(began);
    const other = await result({ ...dueService(), waiting: { reason: "primary", since: began } }, waits);
    expect(other.waiting?.since).toEqual(clock.now());
  });

  test("for a step that does not come to its end is told to take longer than it should", async () => {
    const waits = ending(async () => ({ kind: "wait", why: "it pulls" }));
    const first = await result(dueService(), waits);
    expect(first.statusReason).toBe("Preparing the network and the coordination of the service: it pulls.");
    clock.advance(61_000);
    const late = await result({ ...dueService(), waiting: first.waiting }, waits);
    expect(late.statusReason).toContain("this takes longer than it should");
    expect(late.conditions).toContainEqual(expect.objectContaining({ type: "Settled", reason: "Overdue" }));
  });
});

describe("a step that fails", () => {
  test.each([
    ["says so", async (): Promise<StepOutcome> => ({ kind: "failed", why: "no space left" })],
    ["throws", () => Promise.reject(new Error("no space left"))],
  ])("and %s is the reason for the status, and tried again later each time", async (_, outcome) => {
    const failing = ending(outcome);
    const first = await result(dueService(), failing);
    expect(first).toMatchObject({ attempts: 1, dueInMs: 500, status: "CONFIGURING" });
    expect(first.statusReason).toContain("no space left");
    const seventh = await result(dueService({ attempts: 6 }), failing);
    expect(seventh).toMatchObject({ attempts: 7, dueInMs: 30_000 });
  });

  test("is told once, however often it fails for the same reason", async () => {
    const failing = ending(async () => ({ kind: "failed", why: "no space left" }));
    const first = await result(dueService(), failing);
    expect(first.events.map(({ type }) => type)).toEqual(["service.step", "service.trouble"]);
    const again = after(dueService(), first);
    expect((await result(again, failing)).events).toEqual([]);
    const otherwise = ending(async () => ({ kind: "failed", why: "no memory left" }));
    expect((await result(again, otherwise)).events).toHaveLength(1);
  });

  test("and then succeeds goes on at once", async () => {
    const failed = await result(
      dueService(),
      ending(async () => ({ kind: "failed", why: "busy" })),
    );
    expect(await result(after(dueService(), failed))).toMatchObject({ attempts: 0, dueInMs: 0 });
  });
});

describe("what cannot be brought into force", () => {
  const before = { size: SMALL, parameters: {} };

  test("is taken back after some tries, and told with the reason", async () => {
    const { service } = await until(dueService(), isReady);
    const larger = { ...service, generation: 2, size: LARGE, settledSizing: before };
    const failing = ending(async () => ({ kind: "failed", why: "no memory" }));
    expect((await result({ ...larger, attempts: 1 }, failing)).withdrawn).toBeNull();
    const last = await result({ ...larger, attempts: 2 }, failing);
    expect(last).toMatchObject({ dueInMs: 0, withdrawn: { sizing: before } });
    expect(last.withdrawn?.message).toMatch(/^The size goes back to 0.5 CPU and 2 GB, since .*no memory$/);
  });

  test("is not taken back for an engine that does not answer", async () => {
    const { service } = await until(dueService(), isReady);
    const larger = { ...service, generation: 2, size: LARGE, settledSizing: before };
    const broken = ending(() => Promise.reject(new Error("the engine is gone")));
    expect((await result({ ...larger, attempts: 20 }, broken)).withdrawn).toBeNull();
  });
});

test("a step that is reported done without effect is not repeated in a rush, and is told at last", async () => {
  const lying = ending(async () => ({ kind: "done" }));
  let service = dueService();
  const delays: number[] = [];
  for (let passes = 0; passes < 7; passes += 1) {
    const told = await result(service, lying);
    delays.push(told.dueInMs);
    service = after(service, told);
  }
  expect(delays).toEqual([0, 100, 200, 400, 800, 1600, 3200]);
  expect(service.statusReason).toContain("it does not show");
});

describe("a platform that does not answer", () => {
  test("makes a ready service UNSTABLE with unknown conditions, and READY again when it is back", async () => {
    const { service } = await until(dueService(), isReady);
    faults.engineUnreachable(1_000);
    const dark = await result(service);
    expect(dark).toMatchObject({ status: "UNSTABLE", attempts: 1, dueInMs: 500, settledGeneration: null });
    expect(dark.statusReason).toContain("the engine does not answer");
    expect(dark.conditions.map(({ status }) => status)).toEqual(["Unknown", "Unknown", "Unknown"]);
    const { service: back } = await until(after(service, dark), isReady);
    expect(back.attempts).toBe(0);
  });

  test("is told once", async () => {
    const { service } = await until(dueService(), isReady);
    faults.engineUnreachable(60_000);
    const first = await result(service);
    expect(first.events.length).toBeGreaterThan(0);
    expect((await result(after(service, first))).events).toEqual([]);
  });
});

test("what may not act any more changes nothing", async () => {
  const executed: string[] = [];
  const watched: Platform = {
    ...platform,
    execute: async (step) => {
      executed.push(step.kind);
      return { kind: "done" };
    },
  };
  expect(await pass(dueService(), { platform: watched, mayAct: () => false })).toEqual({ kind: "givenUp" });
  expect(executed).toEqual([]);
});
