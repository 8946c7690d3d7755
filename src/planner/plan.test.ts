import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  frozen,
  NOTHING,
  primary,
  replica,
  silent,
  standing,
  stopped,
  volume,
} from "../../test/support/observations.ts";
import { step } from "../../test/support/rules.ts";
import { desiredService, LARGE, SMALL } from "../../test/support/services.ts";
import { memberLimits } from "./limits.ts";
import { plan } from "./plan.ts";
import { settingsFor } from "./settings.ts";
import type { Plan } from "./situation.ts";
import type { Step } from "./step.ts";

const READY = { settledGeneration: 1 } as const;

test("a pooler that does not answer keeps no replica from being made", () => {
  const desired = desiredService({ ...READY, pooler: true, replicaCount: 1 });
  const observed = standing(desired, [primary(0)], { pooler: { state: "running", serving: false } });
  expect(plan(desired, observed)).toMatchObject({ step: { kind: "createMember", ordinal: 1, data: "copy" } });
});

test("a fork that was ready once is brought back like every other service", () => {
  const desired = desiredService({ ...READY, forkedFrom: "parent0000" });
  expect(plan(desired, standing(desired, [volume(0)]))).toMatchObject({
    step: { kind: "createMember", ordinal: 0, data: "copy" },
  });
  expect(plan(desired, NOTHING)).toMatchObject({ kind: "wait", reason: "data-missing" });
});

test("whoever was asked to hand over has done so where another leads, or nobody else is there", () => {
  const desired = desiredService({ ...READY, replicaCount: 1, handOverFrom: 0 });
  expect(plan(desired, standing(desired, [replica(0), primary(1)]))).toEqual({ kind: "settled" });
  const alone = desiredService({ ...READY, handOverFrom: 0 });
  expect(plan(alone, standing(alone, [primary(0)]))).toEqual({ kind: "settled" });
});

test("what was changed while a service rested is told to the members once one of them leads", () => {
  const settledSizing = { size: SMALL, parameters: {} };
  const desired = desiredService({ ...READY, settledPower: "stopped", size: LARGE, settledSizing });
  const configuration = { settings: settingsFor(SMALL, {}), syncReplicaCount: 0 };
  const starting = { ...silent(0), limits: memberLimits(LARGE) };
  expect(plan(desired, standing(desired, [starting], { configuration }))).toMatchObject({
    kind: "wait",
    reason: "primary",
  });
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
    ["is a pooler alone", { ...NOTHING, pooler: { state: "stopped", serving: false } } as const],
    ["is a copy of its parent alone", { ...NOTHING, copy: { state: "running" } } as const],
    ["is stopped", standing(absent, [stopped(0)])],
    ["is a volume alone", { ...NOTHING, members: [volume(0)] }],
    [
      "is a gateway alone",
      { ...NOTHING, gateway: { state: "stopped", serving: false, allowList: null } } as const,
    ],
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

test("a new, empty database is only ever begun by a service that never was ready and has no parent", () => {
  fc.assert(
    fc.property(anyDesired, anyObserved, (desired, observed) => {
      const { settledGeneration, forkedFrom } = desired;
      const fitting = settledGeneration > 0 ? null : forkedFrom === null ? "new" : `of ${forkedFrom}`;
      expect([null, fitting]).toContain(dataBegunBy(plan(desired, observed)));
    }),
    { numRuns: 5_000 },
  );
});

test("only what shall be stopped is stopped, and nothing of what shall be stopped is begun or removed", () => {
  const begins: readonly Step["kind"][] = [
    "ensureGateway",
    "ensurePooler",
    "removeMember",
    "configure",
    "switchover",
  ];
  fc.assert(
    fc.property(anyDesired, anyObserved, (desired, observed) => {
      fc.pre(desired.presence === "present");
      const decision = plan(desired, observed);
      if (decision.kind !== "step") return;
      const unfit = desired.power === "stopped" ? begins : (["stopMember"] as const);
      expect(unfit).not.toContain(decision.step.kind);
    }),
    { numRuns: 5_000 },
  );
});

function dataBegunBy(decision: Plan): string | null {
  if (decision.kind !== "step") return null;
  const { step: next } = decision;
  if (next.kind === "copyParent") return `of ${next.parentId}`;
  return next.kind === "createMember" && next.data === "new" ? "new" : null;
}

/** The members that a step is about and that are not there. */
function strangers(next: Step, there: ReadonlySet<number>): readonly number[] {
  if (next.kind === "createMember" || next.kind === "copyParent") return [];
  const ordinals =
    "ordinal" in next ? [next.ordinal] : next.kind === "switchover" ? [next.from, next.to] : [];
  return ordinals.filter((ordinal) => !there.has(ordinal));
}

const anySize = fc.constantFrom(SMALL, LARGE, { kind: "shared" } as const);

const anyDesired = fc.record({
  serviceId: fc.constant("aaaaaaaaaa"),
  generation: fc.integer({ min: 1, max: 9 }),
  settledGeneration: fc.nat({ max: 9 }),
  presence: fc.constantFrom("present" as const, "absent" as const),
  power: fc.constantFrom("running" as const, "stopped" as const),
  settledPower: fc.constantFrom("running" as const, "stopped" as const),
  size: anySize,
  replicaCount: fc.nat({ max: 3 }),
  syncReplicaCount: fc.nat({ max: 3 }),
  pooler: fc.boolean(),
  allowList: fc.constantFrom([], ["0.0.0.0/0", "::/0"]),
  parameters: fc.constantFrom({}, { max_connections: "50" }, { max_connections: "200", work_mem: "64MB" }),
  passwordVersion: fc.integer({ min: 1, max: 3 }),
  forkedFrom: fc.option(fc.constant("parent0000")),
  readsFrom: fc.constant(null),
  vpc: fc.option(
    fc.record({
      vpcId: fc.constantFrom("1", "2"),
      cidr: fc.constant("10.50.0.0/24"),
      problem: fc.option(fc.constant("it is not there")),
      peerings: fc.constantFrom([], [{ peeringId: "1", network: "apps" }]),
    }),
  ),
  handOverFrom: fc.option(fc.nat({ max: 3 })),
  settledSizing: fc.constant(null),
});

const anySettings = fc.oneof(
  anySize.map((size) => settingsFor(size, {})),
  fc.constant({}),
  fc.constant({ shared_buffers: "1kB" }),
);

const anyMember = fc.record({
  ordinal: fc.nat({ max: 5 }),
  hasVolume: fc.boolean(),
  hasDatabase: fc.boolean(),
  endedAtMs: fc.option(fc.nat()),
  container: fc.constantFrom(
    "absent" as const,
    "stopped" as const,
    "running" as const,
    "frozen" as const,
    "cut off" as const,
  ),
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
      storage: fc.constantFrom("enough" as const, "low" as const),
      replication: fc.option(
        fc.record({
          state: fc.constantFrom("streaming" as const, "catching up" as const, "disconnected" as const),
          synchronous: fc.boolean(),
          trusted: fc.boolean(),
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
    allowList: fc.option(fc.constantFrom([], ["0.0.0.0/0", "::/0"])),
  }),
  pooler: fc.record({
    state: fc.constantFrom("absent" as const, "stopped" as const, "running" as const),
    serving: fc.boolean(),
  }),
  copy: fc.record({
    state: fc.constantFrom("absent" as const, "running" as const, "done" as const, "failed" as const),
  }),
  vpc: fc.record({
    joined: fc.subarray(["1", "2"]),
    ranges: fc.constantFrom([], ["10.50.0.0/24"]),
    relays: fc.constantFrom([], [{ peeringId: "1", running: true }], [{ peeringId: "2", running: false }]),
  }),
  roles: fc.option(fc.record({ current: fc.boolean(), passwordVersion: fc.nat({ max: 3 }) })),
  members: fc.uniqueArray(anyMember, { maxLength: 5, selector: ({ ordinal }) => ordinal }),
  configuration: fc.option(fc.record({ settings: anySettings, syncReplicaCount: fc.nat({ max: 3 }) })),
});
