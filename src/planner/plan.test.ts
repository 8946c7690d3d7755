import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  catchingUp,
  frozen,
  NOTHING,
  primary,
  replica,
  silent,
  standing,
  stopped,
  volume,
} from "../../test/support/observations.ts";
import { desiredService, LARGE, SMALL } from "../../test/support/services.ts";
import type { DesiredService } from "./desired.ts";
import { memberLimits, startLimits } from "./limits.ts";
import type { ObservedService } from "./observed.ts";
import { type Plan, plan, RULES, situate } from "./plan.ts";
import { settingsForSize } from "./settings.ts";
import type { Step } from "./step.ts";

interface Case {
  readonly when: string;
  readonly desired: Partial<DesiredService>;
  readonly observed: (desired: DesiredService) => ObservedService;
  readonly decides: Plan;
}

const READY = { settledGeneration: 1 } as const;
const small = memberLimits(SMALL);
const large = memberLimits(LARGE);
const configuration = { settings: settingsForSize(SMALL), syncReplicaCount: 0 };

const step = <Kind extends object>(next: Kind) => ({ kind: "step", step: next }) as const;
const wait = <Reason extends string>(reason: Reason, detail: string) =>
  ({ kind: "wait", reason, detail }) as const;

/** For every rule, by its sentence, situations in which it is the one that decides. */
const CASES: Readonly<Record<string, readonly Case[]>> = {
  "A service that was ready once and has no volume left is never given a new, empty database in its place.": [
    {
      when: "nothing at all is left",
      desired: READY,
      observed: () => NOTHING,
      decides: wait("data-missing", "every volume of the service is gone from the engine"),
    },
    {
      when: "only a container is left",
      desired: READY,
      observed: (desired) => standing(desired, [{ ...stopped(0), hasVolume: false }]),
      decides: wait("data-missing", "every volume of the service is gone from the engine"),
    },
  ],
  "Network and coordination come first.": [
    {
      when: "nothing is there",
      desired: {},
      observed: () => NOTHING,
      decides: step({ kind: "ensureFoundation" }),
    },
    {
      when: "part of it is gone beneath a running service",
      desired: READY,
      observed: (desired) => standing(desired, [primary(0)], { foundation: "partial" }),
      decides: step({ kind: "ensureFoundation" }),
    },
  ],
  "The first member of a service that never was ready starts a new database.": [
    {
      when: "the foundation stands",
      desired: {},
      observed: () => ({ ...NOTHING, foundation: "present" }),
      decides: step({
        kind: "createMember",
        ordinal: 0,
        limits: startLimits(small),
        configuration,
        data: "new",
      }),
    },
  ],
  "More CPU or memory is given at once, without a restart.": [
    {
      when: "the size grew",
      desired: { ...READY, size: LARGE },
      observed: (desired) => standing(desired, [primary(0)]),
      decides: step({ kind: "setLimits", ordinal: 0, limits: large }),
    },
    {
      when: "a member that has all CPU needs more memory, it keeps all CPU",
      desired: { ...READY, size: LARGE },
      observed: (desired) => standing(desired, [{ ...primary(0), limits: startLimits(small) }]),
      decides: step({ kind: "setLimits", ordinal: 0, limits: startLimits(large) }),
    },
  ],
  "What is left of a member whose volume is gone is cleared away while another has the data, and made again.":
    [
      {
        when: "a replica's volume is gone",
        desired: { ...READY, replicaCount: 1 },
        observed: (desired) => standing(desired, [primary(0), { ...stopped(1), hasVolume: false }]),
        decides: step({ kind: "removeMember", ordinal: 1 }),
      },
      {
        when: "the only member of a service that never was ready lost its volume",
        desired: {},
        observed: (desired) => standing(desired, [{ ...stopped(0), hasVolume: false }]),
        decides: step({ kind: "removeMember", ordinal: 0 }),
      },
    ],
  "While a primary takes writes, a replica too many that is down is removed, not started first.": [
    {
      when: "one is stopped",
      desired: READY,
      observed: (desired) => standing(desired, [primary(0), stopped(1)]),
      decides: step({ kind: "removeMember", ordinal: 1 }),
    },
    {
      when: "a removal was cut off and left the volume",
      desired: { ...READY, replicaCount: 1 },
      observed: (desired) => standing(desired, [primary(0), volume(1), replica(2)]),
      decides: step({ kind: "removeMember", ordinal: 1 }),
    },
  ],
  "A member whose volume is there runs: its container is made again or started.": [
    {
      when: "its container is stopped",
      desired: READY,
      observed: (desired) => standing(desired, [stopped(0)]),
      decides: step({ kind: "startMember", ordinal: 0, limits: startLimits(small) }),
    },
    {
      when: "its container is gone, from a service that was ready: never a new database",
      desired: READY,
      observed: (desired) => standing(desired, [volume(0)]),
      decides: step({
        kind: "createMember",
        ordinal: 0,
        limits: startLimits(small),
        configuration,
        data: "copy",
      }),
    },
    {
      when: "the very first creation was cut off",
      desired: {},
      observed: (desired) => standing(desired, [volume(0)]),
      decides: step({
        kind: "createMember",
        ordinal: 0,
        limits: startLimits(small),
        configuration,
        data: "new",
      }),
    },
    {
      when: "never ready, but other members are there already: never a second database",
      desired: { replicaCount: 1 },
      observed: (desired) => standing(desired, [volume(0), silent(1)]),
      decides: step({
        kind: "createMember",
        ordinal: 0,
        limits: startLimits(small),
        configuration,
        data: "copy",
      }),
    },
    {
      when: "one too many is down, and it may be the one with the data while nobody leads",
      desired: READY,
      observed: (desired) => standing(desired, [silent(0), stopped(1)]),
      decides: step({ kind: "startMember", ordinal: 1, limits: startLimits(small) }),
    },
  ],
  "The endpoint is open whenever a member is there.": [
    {
      when: "the gateway is missing",
      desired: {},
      observed: (desired) => standing(desired, [silent(0)], { gateway: { state: "absent", serving: false } }),
      decides: step({ kind: "ensureGateway" }),
    },
    {
      when: "the gateway is stopped while no primary is there either",
      desired: READY,
      observed: (desired) =>
        standing(desired, [silent(0)], { gateway: { state: "stopped", serving: false } }),
      decides: step({ kind: "ensureGateway" }),
    },
  ],
  "Everything further is decided with a primary that takes writes; who that is, the members elect.": [
    {
      when: "no member leads",
      desired: { ...READY, replicaCount: 1 },
      observed: (desired) => standing(desired, [silent(0), silent(1)]),
      decides: wait("primary", "no member takes writes yet"),
    },
    {
      when: "the old primary's volume is gone and nobody leads yet",
      desired: { ...READY, replicaCount: 1 },
      observed: (desired) => standing(desired, [{ ...stopped(0), hasVolume: false }, silent(1)]),
      decides: wait("primary", "no member takes writes yet"),
    },
    {
      when: "the one that led is frozen",
      desired: READY,
      observed: (desired) => standing(desired, [frozen(0)]),
      decides: wait("member-frozen", "the container of member 0 is paused in the engine"),
    },
  ],
  "The endpoint leads to the primary.": [
    {
      when: "the gateway is blind",
      desired: READY,
      observed: (desired) =>
        standing(desired, [primary(0)], { gateway: { state: "running", serving: false } }),
      decides: wait("endpoint", "the gateway has not seen the primary yet"),
    },
  ],
  "The members are told the settings of the size and the number of synchronous replicas.": [
    {
      when: "the configuration cannot be read",
      desired: READY,
      observed: (desired) => standing(desired, [primary(0)], { configuration: null }),
      decides: wait("configuration", "the cluster's configuration cannot be read yet"),
    },
    {
      when: "the size changed, before any replica is added",
      desired: { ...READY, size: LARGE, replicaCount: 1 },
      observed: (desired) => standing(desired, [{ ...primary(0), limits: large }], { configuration }),
      decides: step({
        kind: "configure",
        configuration: { settings: settingsForSize(LARGE), syncReplicaCount: 0 },
      }),
    },
    {
      when: "the number of synchronous replicas changed, before any is removed",
      desired: READY,
      observed: (desired) =>
        standing(desired, [primary(0), replica(1, "sync")], {
          configuration: { ...configuration, syncReplicaCount: 1 },
        }),
      decides: step({ kind: "configure", configuration }),
    },
  ],
  "Missing replicas are added.": [
    {
      when: "by the lowest free ordinal",
      desired: { ...READY, replicaCount: 2 },
      observed: (desired) => standing(desired, [replica(0), primary(2)]),
      decides: step({
        kind: "createMember",
        ordinal: 1,
        limits: startLimits(small),
        configuration,
        data: "copy",
      }),
    },
  ],
  "Replicas too many are removed, never the primary and none that commits still wait for.": [
    {
      when: "the primary has the highest ordinal",
      desired: READY,
      observed: (desired) => standing(desired, [replica(0), replica(1), primary(2)]),
      decides: step({ kind: "removeMember", ordinal: 1 }),
    },
    {
      when: "one of them does not stream, it goes first",
      desired: { ...READY, replicaCount: 1 },
      observed: (desired) => standing(desired, [primary(0), catchingUp(1), replica(2)]),
      decides: step({ kind: "removeMember", ordinal: 1 }),
    },
    {
      when: "a frozen one goes before one that streams",
      desired: { ...READY, replicaCount: 1 },
      observed: (desired) => standing(desired, [primary(0), frozen(1), replica(2)]),
      decides: step({ kind: "removeMember", ordinal: 1 }),
    },
    {
      when: "all of them are still synchronous",
      desired: READY,
      observed: (desired) => standing(desired, [primary(0), replica(1, "sync")]),
      decides: wait("synchronous-set", "the surplus replicas are still synchronous ones"),
    },
  ],
  "Replicas that run with settings of another size restart, one at a time, while all others stream.": [
    {
      when: "all stream",
      desired: { ...READY, replicaCount: 2, size: LARGE },
      observed: (desired) =>
        standing(desired, [
          { ...primary(0), limits: large },
          { ...replica(1), limits: large },
          { ...replica(2), limits: large },
        ]),
      decides: step({ kind: "restartPostgres", ordinal: 1 }),
    },
    {
      when: "another one restarts",
      desired: { ...READY, replicaCount: 2, size: LARGE },
      observed: (desired) =>
        standing(desired, [
          { ...primary(0), limits: large },
          { ...silent(1), limits: large },
          { ...replica(2), limits: large },
        ]),
      decides: wait("replication", "member 1 does not stream from the primary yet"),
    },
  ],
  "A primary that runs with settings of another size hands over to an up-to-date replica, or restarts alone.":
    [
      {
        when: "it is alone",
        desired: { ...READY, size: LARGE },
        observed: (desired) => standing(desired, [{ ...primary(0), limits: large }]),
        decides: step({ kind: "restartPostgres", ordinal: 0 }),
      },
      {
        when: "a synchronous replica is the heir before an asynchronous one",
        desired: { ...READY, size: LARGE, replicaCount: 2, syncReplicaCount: 1 },
        observed: (desired) =>
          standing(desired, [
            { ...primary(0), limits: large },
            replica(1, "async", LARGE),
            replica(2, "sync", LARGE),
          ]),
        decides: step({ kind: "switchover", from: 0, to: 2 }),
      },
      {
        when: "no replica is synchronous yet where one shall be",
        desired: { ...READY, size: LARGE, replicaCount: 1, syncReplicaCount: 1 },
        observed: (desired) =>
          standing(desired, [{ ...primary(0), limits: large }, replica(1, "async", LARGE)]),
        decides: wait("synchronous-set", "0 of 1 replicas are synchronous"),
      },
      {
        when: "a replica does not stream",
        desired: { ...READY, size: LARGE, replicaCount: 1 },
        observed: (desired) =>
          standing(desired, [
            { ...primary(0), limits: large },
            { ...silent(1), limits: large },
          ]),
        decides: wait("replication", "member 1 does not stream from the primary yet"),
      },
    ],
  "All settings of the size are in force inside every server.": [
    {
      when: "one that needs no restart has not been taken up",
      desired: READY,
      observed: (desired) =>
        standing(desired, [withSettings(primary(0), { ...settingsForSize(SMALL), work_mem: "64MB" })]),
      decides: wait("settings", "member 0 has not taken up work_mem"),
    },
  ],
  "Every replica streams.": [
    {
      when: "one is still copying",
      desired: { ...READY, replicaCount: 1 },
      observed: (desired) => standing(desired, [primary(0), silent(1)]),
      decides: wait("replication", "member 1 does not stream from the primary yet"),
    },
    {
      when: "one is frozen",
      desired: { ...READY, replicaCount: 1 },
      observed: (desired) => standing(desired, [primary(0), frozen(1)]),
      decides: wait("member-frozen", "the container of member 1 is paused in the engine"),
    },
  ],
  "CPU and memory are taken away last, when no server needs them any more.": [
    {
      when: "the settings of the smaller size are in force",
      desired: READY,
      observed: (desired) => standing(desired, [{ ...primary(0), limits: large }]),
      decides: step({ kind: "setLimits", ordinal: 0, limits: small }),
    },
  ],
  "As many replicas are synchronous as were asked for.": [
    {
      when: "none is yet",
      desired: { ...READY, replicaCount: 1, syncReplicaCount: 1 },
      observed: (desired) => standing(desired, [primary(0), replica(1)]),
      decides: wait("synchronous-set", "0 of 1 replicas are synchronous"),
    },
  ],
};

describe.each(Object.entries(CASES))("%s", (sentence, cases) => {
  test.each(cases)("$when", ({ desired: changes, observed: observe, decides }) => {
    const desired = desiredService(changes);
    const observed = observe(desired);
    const situation = situate(desired, observed);
    expect(RULES.find((rule) => rule.decide(situation) !== null)?.sentence).toBe(sentence);
    expect(plan(desired, observed)).toEqual(decides);
  });
});

test("every rule of the table is shown by a situation", () => {
  expect(Object.keys(CASES)).toEqual(RULES.map(({ sentence }) => sentence));
});

test("what is as wanted is settled, whoever leads", () => {
  const desired = desiredService({ ...READY, replicaCount: 2, syncReplicaCount: 1 });
  expect(plan(desired, standing(desired, [replica(0, "sync"), replica(1), primary(2)]))).toEqual({
    kind: "settled",
  });
});

describe("what shall be absent", () => {
  const absent = desiredService({ ...READY, presence: "absent" });

  test.each([
    ["runs", standing(absent, [primary(0), replica(1)])],
    ["has lost its data", { ...NOTHING, foundation: "present" } as const],
    ["is a volume alone", { ...NOTHING, members: [volume(0)] }],
    ["is a gateway alone", { ...NOTHING, gateway: { state: "stopped", serving: false } } as const],
    ["is frozen", standing(absent, [frozen(0)])],
  ])("is removed when it %s", (_state, observed) => {
    expect(plan(absent, observed)).toEqual(step({ kind: "removeService" }));
  });

  test("is settled when nothing is left", () => {
    expect(plan(absent, NOTHING)).toEqual({ kind: "settled" });
  });
});

test("every observation has one plan, always the same, about members that are there", () => {
  fc.assert(
    fc.property(anyDesired, anyObserved, (desired, observed) => {
      const decision = plan(desired, observed);
      expect(plan(structuredClone(desired), structuredClone(observed))).toEqual(decision);
      const there = new Set(observed.members.map(({ ordinal }) => ordinal));
      expect(decision.kind === "step" ? strangers(decision.step, there) : []).toEqual([]);
    }),
    { numRuns: 5_000 },
  );
});

/** The members that a step is about and that are not there. */
function strangers(next: Step, there: ReadonlySet<number>): readonly number[] {
  if (next.kind === "createMember") return [];
  const ordinals =
    "ordinal" in next ? [next.ordinal] : next.kind === "switchover" ? [next.from, next.to] : [];
  return ordinals.filter((ordinal) => !there.has(ordinal));
}

function withSettings(member: ReturnType<typeof primary>, settings: Record<string, string>) {
  return member.postgres ? { ...member, postgres: { ...member.postgres, settings } } : member;
}

const anySize = fc.constantFrom(SMALL, LARGE, { kind: "shared" } as const);

const anyDesired = fc.record({
  serviceId: fc.constant("aaaaaaaaaa"),
  generation: fc.integer({ min: 1, max: 9 }),
  settledGeneration: fc.nat({ max: 9 }),
  presence: fc.constantFrom("present" as const, "absent" as const),
  size: anySize,
  replicaCount: fc.nat({ max: 3 }),
  syncReplicaCount: fc.nat({ max: 3 }),
});

const anySettings = fc.oneof(
  anySize.map(settingsForSize),
  fc.constant({}),
  fc.constant({ shared_buffers: "1kB" }),
);

const anyMember = fc.record({
  ordinal: fc.nat({ max: 5 }),
  hasVolume: fc.boolean(),
  container: fc.constantFrom("absent" as const, "stopped" as const, "running" as const, "frozen" as const),
  limits: fc.option(
    fc.record({
      cpuMillis: fc.option(fc.integer({ min: 1, max: 64_000 })),
      cpuWeight: fc.integer({ min: 2, max: 65_536 }),
      memoryBytes: fc.integer({ min: 1 }),
    }),
  ),
  postgres: fc.option(
    fc.record({
      role: fc.constantFrom("primary" as const, "replica" as const),
      writable: fc.boolean(),
      timeline: fc.nat(),
      settings: anySettings,
      replication: fc.option(
        fc.record({
          state: fc.constantFrom("streaming" as const, "catching up" as const, "disconnected" as const),
          synchronous: fc.boolean(),
          lagBytes: fc.option(fc.nat()),
        }),
      ),
    }),
  ),
});

const anyObserved = fc.record({
  foundation: fc.constantFrom("absent" as const, "partial" as const, "present" as const),
  gateway: fc.record({
    state: fc.constantFrom("absent" as const, "stopped" as const, "running" as const),
    serving: fc.boolean(),
  }),
  members: fc.uniqueArray(anyMember, { maxLength: 5, selector: ({ ordinal }) => ordinal }),
  configuration: fc.option(fc.record({ settings: anySettings, syncReplicaCount: fc.nat({ max: 3 }) })),
});
