import { expect, test } from "vitest";
import {
  catchingUp,
  frozen,
  leaderless,
  NOTHING,
  primary,
  replica,
  silent,
  standing,
  stopped,
  volume,
} from "../../test/support/observations.ts";
import { type Case, describeRules, step, wait } from "../../test/support/rules.ts";
import { desiredService, SMALL } from "../../test/support/services.ts";
import { vpcCases } from "../../test/support/vpc-cases.ts";
import { memberLimits, startLimits } from "./limits.ts";
import { plan } from "./plan.ts";
import { settingsFor } from "./settings.ts";
import { STOPPING } from "./stopping.ts";

const STOPPED = { generation: 2, settledGeneration: 1, power: "stopped" } as const;
const limits = startLimits(memberLimits(SMALL));

const vpcs = vpcCases(stopped(0));

const CASES: Readonly<Record<string, readonly Case[]>> = {
  "The endpoint lets in who may come and nobody else, before anything that may take long or fail.": [
    {
      when: "the list changed while the members are being stopped",
      desired: { allowList: [] },
      observed: (desired) =>
        standing(desired, [primary(0)], {
          gateway: { state: "running", serving: true, allowList: ["192.0.2.0/24"] },
        }),
      decides: step({ kind: "setAllowList", allowList: [] }),
    },
    {
      when: "the list changed while nothing runs",
      desired: { settledPower: "stopped", allowList: ["192.0.2.0/24"] },
      observed: (desired) =>
        standing(desired, [stopped(0)], { gateway: { state: "running", serving: false, allowList: [] } }),
      decides: step({ kind: "setAllowList", allowList: ["192.0.2.0/24"] }),
    },
    ...vpcs.list,
  ],
  "What leads from a VPC to the endpoint and is not wanted any more is cleared away.": vpcs.leave,
  "A service that was ready once and has no volume left is never given a new, empty database in its place.": [
    {
      when: "its data is gone",
      desired: {},
      observed: () => NOTHING,
      decides: wait("data-missing", "every volume of the service is gone from the engine"),
    },
  ],
  "The pooler goes first, and tells its clients so.": [
    {
      when: "it runs",
      desired: { pooler: true },
      observed: (desired) => standing(desired, [primary(0)]),
      decides: step({ kind: "removePooler" }),
    },
    {
      when: "its removal was cut off",
      desired: { pooler: true },
      observed: (desired) =>
        standing(desired, [stopped(0)], { pooler: { state: "stopped", serving: false } }),
      decides: step({ kind: "removePooler" }),
    },
  ],
  "A member that is frozen or cut off cannot stop cleanly, and is ended.": [
    {
      when: "it is the only one",
      desired: {},
      observed: (desired) => standing(desired, [frozen(0)]),
      decides: step({ kind: "endMember", ordinal: 0 }),
    },
    {
      when: "it is a replica, which would be behind at the next start",
      desired: { replicaCount: 1 },
      observed: (desired) => standing(desired, [primary(0), frozen(1)]),
      decides: step({ kind: "endMember", ordinal: 1 }),
    },
  ],
  "While nobody leads, members that do not answer are waited for: one may be a primary that is stopping.": [
    {
      when: "only one runs, and its replicas have stopped before it",
      desired: { replicaCount: 2 },
      observed: (desired) => standing(desired, [silent(0), stopped(1), stopped(2)]),
      decides: wait("primary", "member 0 does not answer, and may have what others lack"),
    },
    {
      when: "all of them start",
      desired: { replicaCount: 1 },
      observed: (desired) => standing(desired, [silent(0), silent(1)]),
      decides: wait("primary", "member 0 does not answer, and may have what others lack"),
    },
    {
      when: "one of two has no whole database, and tells nothing of the other",
      desired: { replicaCount: 1 },
      observed: (desired) => standing(desired, [{ ...silent(0), hasDatabase: false }, silent(1)]),
      decides: wait("primary", "member 1 does not answer, and may have what others lack"),
    },
    {
      when: "another one answers that does not lead",
      desired: { replicaCount: 1 },
      observed: (desired) => standing(desired, [leaderless(0), silent(1)]),
      decides: wait("primary", "member 1 does not answer, and may have what others lack"),
    },
  ],
  "Where only replicas run, what they follow has been lost: it comes back, or one of them leads, before they stop.":
    [
      {
        when: "the primary was killed after one of them had been stopped",
        desired: { replicaCount: 2 },
        observed: (desired) => standing(desired, [stopped(0, 20), leaderless(1), stopped(2, 10)]),
        decides: step({ kind: "startMember", ordinal: 0, limits }),
      },
      {
        when: "the primary's container is gone",
        desired: { replicaCount: 1 },
        observed: (desired) => standing(desired, [volume(0), leaderless(1)]),
        decides: step({
          kind: "createMember",
          ordinal: 0,
          limits,
          configuration: { settings: settingsFor(SMALL, {}), syncReplicaCount: 0 },
          data: "copy",
        }),
      },
      {
        when: "all of them are there, and will elect one",
        desired: { replicaCount: 1 },
        observed: (desired) => standing(desired, [leaderless(0), leaderless(1)]),
        decides: wait("primary", "no member takes writes yet"),
      },
      {
        when: "the only one that runs has no whole database",
        desired: { replicaCount: 1 },
        observed: (desired) => standing(desired, [stopped(0), { ...silent(1), hasDatabase: false }]),
        decides: step({ kind: "startMember", ordinal: 0, limits }),
      },
      {
        when: "one of them has no whole database",
        desired: { replicaCount: 2 },
        observed: (desired) =>
          standing(desired, [stopped(0), leaderless(1), { ...silent(2), hasDatabase: false }]),
        decides: step({ kind: "startMember", ordinal: 0, limits }),
      },
      {
        when: "nobody is left that they could follow, and one has no whole database",
        desired: { replicaCount: 1 },
        observed: (desired) => standing(desired, [leaderless(0), { ...silent(1), hasDatabase: false }]),
        decides: wait("primary", "no member takes writes yet"),
      },
      {
        when: "the primary's volume is gone",
        desired: { replicaCount: 1 },
        observed: (desired) => standing(desired, [{ ...stopped(0), hasVolume: false }, leaderless(1)]),
        decides: wait("primary", "no member takes writes yet"),
      },
      {
        when: "they have lost each other with their network",
        desired: { replicaCount: 1 },
        observed: (desired) => standing(desired, [leaderless(0), leaderless(1)], { foundation: "partial" }),
        decides: step({ kind: "ensureFoundation" }),
      },
    ],
  "Replicas stop before their primary, the best heir last of them; the primary then has everything.": [
    {
      when: "one is synchronous",
      desired: { replicaCount: 2, syncReplicaCount: 1 },
      observed: (desired) => standing(desired, [replica(0, "sync"), replica(1), primary(2)]),
      decides: step({ kind: "stopMember", ordinal: 1 }),
    },
    {
      when: "one is further behind",
      desired: { replicaCount: 2 },
      observed: (desired) => standing(desired, [primary(0), catchingUp(1), replica(2)]),
      decides: step({ kind: "stopMember", ordinal: 1 }),
    },
    {
      when: "one does not answer",
      desired: { replicaCount: 2 },
      observed: (desired) => standing(desired, [primary(0), silent(1), replica(2)]),
      decides: step({ kind: "stopMember", ordinal: 1 }),
    },
    {
      when: "all replicas are down",
      desired: { replicaCount: 2 },
      observed: (desired) => standing(desired, [stopped(0), primary(1), stopped(2)]),
      decides: step({ kind: "stopMember", ordinal: 1 }),
    },
    {
      when: "a replica too many is down, it is not removed first",
      desired: {},
      observed: (desired) => standing(desired, [primary(0), stopped(1)]),
      decides: step({ kind: "stopMember", ordinal: 0 }),
    },
    {
      when: "there is only one, whatever it does",
      desired: {},
      observed: (desired) => standing(desired, [silent(0)]),
      decides: step({ kind: "stopMember", ordinal: 0 }),
    },
    {
      when: "somebody has started one of a service that was at rest",
      desired: { settledPower: "stopped" },
      observed: (desired) => standing(desired, [primary(0)]),
      decides: step({ kind: "stopMember", ordinal: 0 }),
    },
  ],
  "An endpoint that does not tell whom it lets in is told so once more.": [
    {
      when: "all else is at rest",
      desired: {},
      observed: (desired) =>
        standing(desired, [stopped(0)], { gateway: { state: "running", serving: false, allowList: null } }),
      decides: step({ kind: "setAllowList", allowList: ["0.0.0.0/0", "::/0"] }),
    },
  ],
  "The endpoint stands in the network of the VPC that the service is attached to.": vpcs.join,
  "Networks that the VPC is peered with reach the endpoint by a relay.": vpcs.relays,
};

describeRules(STOPPING, CASES, STOPPED);

test.each([
  ["its only member has ended", {}, [stopped(0)]],
  ["all its members have ended", { replicaCount: 2 }, [stopped(0), stopped(1), stopped(2)]],
  ["a container is gone and its volume there", {}, [volume(0)]],
  [
    "another size and other replicas were asked for",
    { replicaCount: 3, parameters: { jit: "off" } },
    [stopped(0)],
  ],
] as const)("a service that shall be stopped is, when %s", (_when, changes, members) => {
  const desired = desiredService({ ...STOPPED, ...changes });
  const observed = standing(desired, members, { configuration: null, pooler: NOTHING.pooler });
  expect(plan(desired, observed)).toEqual({ kind: "settled" });
});

test("the endpoint of a stopped service is not opened for it", () => {
  const desired = desiredService(STOPPED);
  expect(plan(desired, standing(desired, [stopped(0)], { gateway: NOTHING.gateway }))).toEqual({
    kind: "settled",
  });
});
