/**
 * What every platform does alike, seen through its interface alone. One service lives through most of it, in order, so
 * that real platforms need few containers; each test still says for itself what it expects to find.
 */
import { randomInt } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EVERY_ADDRESS } from "../../src/contract/cidr.ts";
import { memberLimits } from "../../src/planner/limits.ts";
import type { ObservedMember, ObservedService } from "../../src/planner/observed.ts";
import { settingsFor } from "../../src/planner/settings.ts";
import type { Step } from "../../src/planner/step.ts";
import type { NodeUsage, Platform, ServiceIdentity } from "../../src/platforms/platform.ts";
import { converge, type Kept, keep, type Look, lookOnce, type Pace } from "../support/converge.ts";
import { NOTHING } from "../support/observations.ts";
import {
  changed,
  desiredService,
  LARGE,
  SMALL,
  serviceIdentity,
  withAnotherPassword,
} from "../support/services.ts";

/** A platform under test, with what a test has to do behind its back. */
export interface Subject {
  readonly platform: Platform;
  readonly pace: Pace;
  /** Ends a member's container as if it had crashed. */
  killMember(serviceId: string, ordinal: number): Promise<void>;
  /** Makes a member's server run with another work_mem than it was told, without Patroni or its like noticing. */
  forgetSettings(serviceId: string, ordinal: number): Promise<void>;
  /** Writes something into the service's database, by its primary. */
  write(serviceId: string, primary: number): Promise<void>;
  /** How many of those writes are there, asked of the primary. */
  countWrites(serviceId: string, primary: number): Promise<number>;
  /** What tells the service's database from every other one, asked of the primary. */
  databaseIdentity(serviceId: string, primary: number): Promise<string>;
  /** The name of a network that is nobody's, from which VPCs can be reached by a peering. */
  otherNetwork(): Promise<string>;
  /** Removes everything, whatever failed before. Throws if anything is left. */
  dispose(): Promise<void>;
}

const SETTLED_WITHIN_MS = 200_000;
const TOLD_WITHIN_MS = 60_000;
const POLL_MS = 50;

/** A range of its own in every run, since others may run on the same engine. */
const VPC = { vpcId: "7", cidr: `10.234.${randomInt(0, 128)}.0/28` } as const;

interface Tenant {
  identity: ServiceIdentity;
  readonly kept: Kept;
}

export function platformConformance(name: string, makeSubject: () => Promise<Subject>): void {
  describe(`the ${name} platform`, () => {
    let subject: Subject;
    let orders: Tenant;
    let other: Tenant;
    let interrupted: Tenant;
    let fork: Tenant;
    let readers: Tenant;

    beforeAll(async () => {
      subject = await makeSubject();
      const ports = await subject.platform.freePorts(10, new Set());
      expect(ports).toHaveLength(10);
      const tenantAt = (place: number, serviceId: string) =>
        tenant(serviceIdentity(serviceId, ports[2 * place] ?? 0, ports[2 * place + 1] ?? 0));
      orders = tenantAt(0, "conforma01");
      other = tenantAt(1, "conforma02");
      interrupted = tenantAt(2, "conforma03");
      const forks = tenantAt(3, "conforma04").identity;
      fork = tenant(serviceIdentity(forks.serviceId, forks.port, forks.poolerPort, orders.identity), {
        forkedFrom: orders.identity.serviceId,
      });
      const { serviceId, port, poolerPort } = tenantAt(4, "conforma05").identity;
      const { secrets } = orders.identity;
      const readsFrom = { serviceId: orders.identity.serviceId, place: 1 };
      readers = tenant(
        { ...serviceIdentity(serviceId, port, poolerPort), secrets, readsFrom },
        { readsFrom: readsFrom.serviceId, replicaCount: 1 },
      );
    });

    afterAll(async () => {
      await subject?.dispose();
    });

    const observe = ({ identity }: Tenant) => subject.platform.observe(identity);
    const execute = (step: Step, { identity }: Tenant) => subject.platform.execute(step, identity);

    const settle = ({ kept, identity }: Tenant, seen?: (look: Look) => void): Promise<ObservedService> =>
      converge(kept, { platform: subject.platform, identity, pace: subject.pace }, SETTLED_WITHIN_MS, seen);

    const change = (service: Tenant, changes: Parameters<typeof changed>[1]): void => {
      service.kept.desired = changed(service.kept.desired, changes);
    };

    test("has room", async () => {
      const { cpuMillis, memoryBytes } = await subject.platform.capacity();
      expect(cpuMillis).toBeGreaterThan(0);
      expect(memoryBytes).toBeGreaterThan(0);
    });

    test("names free ports, each once, and none that is taken", async () => {
      const first = await subject.platform.freePorts(5, new Set());
      const taken = new Set(first);
      const second = await subject.platform.freePorts(5, taken);
      expect(new Set([...first, ...second]).size).toBe(10);
    });

    test("finds nothing of a service that it never heard of, and has nothing to remove of it", async () => {
      const stranger = tenant(serviceIdentity("conforma99", 29_998));
      expect(await observe(stranger)).toEqual(NOTHING);
      expect(await execute({ kind: "removeService" }, stranger)).toEqual({ kind: "done" });
      expect(await observe(stranger)).toEqual(NOTHING);
    });

    test("creates two services at once, each with one writable primary of its size", async () => {
      change(other, { size: LARGE });
      const [first, second] = await Promise.all([settle(orders), settle(other)]);
      expect(first.members).toMatchObject([primaryOf(SMALL)]);
      expect(second.members).toMatchObject([primaryOf(LARGE)]);
      for (const { gateway, roles, pooler, copy } of [first, second]) {
        expect(gateway).toEqual({ state: "running", serving: true, allowList: EVERY_ADDRESS });
        expect({ roles, pooler, copy }).toEqual({
          roles: { current: true, passwordVersion: 1 },
          pooler: NOTHING.pooler,
          copy: NOTHING.copy,
        });
      }
    });

    test("removes one of them whole, and touches nothing of the other", async () => {
      const before = await observe(orders);
      change(other, { presence: "absent" });
      expect(await settle(other)).toEqual(NOTHING);
      expect(await execute({ kind: "removeService" }, other)).toEqual({ kind: "done" });
      expect(await observe(orders)).toEqual(before);
    });

    test("begins anew where the first member is killed in the middle of its bootstrap", async () => {
      const { platform, pace } = subject;
      const { kept, identity } = interrupted;
      const deadline = pace.now().getTime() + SETTLED_WITHIN_MS;
      let look: Look;
      do look = await lookOnce(kept, { platform, identity, pace });
      while (look.plan?.kind === "step" && pace.now().getTime() < deadline);
      expect(look.plan?.kind).toBe("wait");
      await subject.killMember(identity.serviceId, 0);
      expect((await settle(interrupted)).members).toMatchObject([primaryOf(SMALL)]);
      change(interrupted, { presence: "absent" });
      expect(await settle(interrupted)).toEqual(NOTHING);
    });

    test("answers that a step is done, and changes nothing, where it is done already", async () => {
      const before = await observe(orders);
      const steps: readonly Step[] = [
        { kind: "ensureFoundation" },
        {
          kind: "createMember",
          ordinal: 0,
          limits: memberLimits(SMALL),
          configuration: configurationOf(orders),
          data: "new",
        },
        { kind: "startMember", ordinal: 0, limits: memberLimits(SMALL) },
        { kind: "ensureGateway", allowList: EVERY_ADDRESS },
        { kind: "setAllowList", allowList: EVERY_ADDRESS },
        { kind: "setRoles", ordinal: 0, passwordVersion: 1 },
        { kind: "removePooler" },
        { kind: "clearCopy" },
        { kind: "setLimits", ordinal: 0, limits: memberLimits(SMALL) },
        { kind: "configure", configuration: configurationOf(orders) },
        { kind: "takeUpSettings", ordinal: 0, settings: settingsFor(SMALL, {}) },
        { kind: "stopMember", ordinal: 7 },
        { kind: "removeMember", ordinal: 7 },
      ];
      for (const step of [...steps, ...steps]) {
        expect([step.kind, await execute(step, orders)]).toEqual([step.kind, { kind: "done" }]);
      }
      expect(await observe(orders)).toEqual(before);
    });

    test("brings settings that a server has lost into force again, without the primary noticing", async () => {
      const { work_mem } = settingsFor(SMALL, {});
      const inForce = async () => (await observe(orders)).members[0]?.postgres?.settings["work_mem"];
      await subject.forgetSettings(orders.identity.serviceId, 0);
      await expect.poll(inForce).not.toBe(work_mem);
      await settle(orders, primaryGoesOn(0));
      expect(await inForce()).toBe(work_mem);
    });

    test("does not restart a server that needs no restart", async () => {
      const before = await observe(orders);
      const outcome = await execute({ kind: "restartPostgres", ordinal: 0 }, orders);
      expect(outcome.kind).not.toBe("failed");
      expect(await observe(orders)).toEqual(before);
    });

    test("refuses to remove the primary", async () => {
      const outcome = await execute({ kind: "removeMember", ordinal: 0 }, orders);
      expect(outcome.kind).toBe("failed");
      expect((await observe(orders)).members).toMatchObject([primaryOf(SMALL)]);
    });

    test("tells whom the endpoint lets in, and lets in others without the primary noticing", async () => {
      for (const allowList of [["192.0.2.0/24", "198.51.100.7/32", "2001:db8::/32"], [], EVERY_ADDRESS]) {
        change(orders, { allowList });
        expect((await settle(orders, primaryGoesOn(0))).gateway.allowList).toEqual(allowList);
        expect(await execute({ kind: "setAllowList", allowList }, orders)).toEqual({ kind: "done" });
      }
    });

    test("makes the network of a VPC, tells of it, and of whose range no VPC can have", async () => {
      const { platform } = subject;
      expect(await platform.ensureVpc(VPC)).toEqual({ kind: "done" });
      expect(await platform.ensureVpc(VPC)).toEqual({ kind: "done" });
      const { networks, usedRanges } = await platform.surveyNetworks();
      expect(networks.filter(({ vpcId }) => vpcId !== null)).toMatchObject([{ vpcId: VPC.vpcId }]);
      expect(usedRanges.filter(({ cidr }) => cidr === VPC.cidr)).toEqual([]);
    });

    test("attaches a service to a VPC and a peered network, and detaches it, without the primary noticing", async () => {
      const peering = { peeringId: "3", network: await subject.otherNetwork() };
      change(orders, { vpc: { ...VPC, problem: null, peerings: [] }, allowList: [] });
      const attached = { joined: [VPC.vpcId], ranges: [VPC.cidr], relays: [] };
      expect((await settle(orders, primaryGoesOn(0))).vpc).toEqual(attached);
      change(orders, { vpc: { ...VPC, problem: null, peerings: [peering] }, allowList: EVERY_ADDRESS });
      const peered = { ...attached, relays: [{ peeringId: "3", running: true }] };
      expect((await settle(orders, primaryGoesOn(0))).vpc).toEqual(peered);
      const repeated: readonly Step[] = [
        { kind: "joinVpc", vpcId: VPC.vpcId },
        { kind: "setAllowList", allowList: EVERY_ADDRESS, vpcRanges: [VPC.cidr] },
        { kind: "ensureRelay", vpcId: VPC.vpcId, ...peering },
      ];
      for (const step of repeated) expect(await execute(step, orders)).toEqual({ kind: "done" });
      expect((await observe(orders)).vpc).toEqual(peered);
      change(orders, { vpc: null });
      expect(await settle(orders, primaryGoesOn(0))).not.toHaveProperty("vpc");
      const undone: readonly Step[] = [
        { kind: "leaveVpc", vpcId: VPC.vpcId },
        { kind: "removeRelay", peeringId: "3" },
      ];
      for (const step of undone) expect(await execute(step, orders)).toEqual({ kind: "done" });
    });

    test("waits where the network of a VPC is not there, and removes one for good", async () => {
      const { platform } = subject;
      expect(await execute({ kind: "joinVpc", vpcId: "99" }, orders)).toMatchObject({ kind: "wait" });
      for (const vpcId of [VPC.vpcId, VPC.vpcId, "99"])
        expect(await platform.removeVpc(vpcId)).toEqual({ kind: "done" });
      const { networks } = await platform.surveyNetworks();
      expect(networks.filter(({ vpcId }) => vpcId !== null)).toEqual([]);
    });

    test("switches a pooler on and off without the primary noticing", async () => {
      change(orders, { pooler: true });
      const running = { state: "running", serving: true };
      expect((await settle(orders, primaryGoesOn(0))).pooler).toEqual(running);
      expect(await execute({ kind: "ensurePooler" }, orders)).toEqual({ kind: "done" });
      expect((await observe(orders)).pooler).toEqual(running);
      change(orders, { pooler: false });
      expect((await settle(orders, primaryGoesOn(0))).pooler).toEqual(NOTHING.pooler);
    });

    test("sets another password without the primary noticing, and tells which one was set last", async () => {
      orders.identity = withAnotherPassword(orders.identity);
      change(orders, { passwordVersion: 2 });
      const observed = await settle(orders, primaryGoesOn(0));
      expect(observed.roles).toEqual({ current: true, passwordVersion: 2 });
      const again: Step = { kind: "setRoles", ordinal: 0, passwordVersion: 2 };
      expect(await execute(again, orders)).toEqual({ kind: "done" });
      expect((await observe(orders)).roles).toEqual(observed.roles);
    });

    test("adds replicas that stream, the asked number of them synchronously, under a primary that goes on", async () => {
      await subject.write(orders.identity.serviceId, 0);
      change(orders, { replicaCount: 2, syncReplicaCount: 1 });
      const { members } = await settle(orders, primaryGoesOn(0));
      expect(members.map(({ ordinal }) => ordinal)).toEqual([0, 1, 2]);
      expect(streaming(members)).toHaveLength(2);
      expect(synchronous(members)).toHaveLength(1);
      const [replica] = streaming(members);
      expect(replica?.limits).toEqual(memberLimits(SMALL));
      expect(replica?.postgres?.settings).toEqual(settingsFor(SMALL, {}));
    });

    test("tells of each node that answers its role, what it uses, and how far a replica is behind", async () => {
      // A node that does not answer in time, on a busy machine, is told at the next look.
      const rolesOf = (nodes: readonly NodeUsage[]) =>
        nodes.map(({ ordinal, role }) => `${ordinal} ${role}`).toSorted();
      let nodes: readonly NodeUsage[] = [];
      await expect
        .poll(async () => rolesOf((nodes = await subject.platform.usage(orders.identity))))
        .toEqual(["0 primary", "1 replica", "2 replica"]);
      for (const { role, gauges, counters } of nodes) {
        expect(gauges.memory_bytes).toBeGreaterThan(0);
        expect(gauges.replication_lag_bytes === undefined).toBe(role === "primary");
        expect(counters.cpuSeconds).toBeGreaterThan(0);
        expect(counters.walBytes).toBeGreaterThan(0);
      }
      const nobody = serviceIdentity("conforma99", 1);
      expect(await subject.platform.usage(nobody)).toEqual([]);
      const all = { before: new Map(), sinceMs: null, untilMs: null, search: [], severities: [], limit: 1 };
      const told = await subject.platform.logs("conforma99", { ...all, ordinal: null });
      expect(told ?? { ordinals: [], logs: [] }).toEqual({ ordinals: [], logs: [] });
    });

    test("answers that a replica is made and a lead is held, where they are", async () => {
      const limits = memberLimits(SMALL);
      const configuration = configurationOf(orders);
      const copy: Step = { kind: "createMember", ordinal: 1, limits, configuration, data: "copy" };
      expect(await execute(copy, orders)).toEqual({ kind: "done" });
      expect(await execute({ kind: "switchover", from: 1, to: 0 }, orders)).toEqual({ kind: "done" });
      expect(leader(await observe(orders))).toBe(0);
    });

    test("gives every member the limits and settings of a larger size, by a switchover", async () => {
      change(orders, { size: LARGE });
      const observed = await settle(orders);
      for (const { limits, postgres } of observed.members) {
        expect(limits).toEqual(memberLimits(LARGE));
        expect(postgres?.settings).toEqual(settingsFor(LARGE, {}));
      }
      expect(leader(observed)).not.toBe(0);
      expect(synchronous(observed.members)).toHaveLength(1);
      expect(await subject.countWrites(orders.identity.serviceId, leader(observed))).toBe(1);
    });

    test("makes members that only read, behind an endpoint of their own, without the primary noticing", async () => {
      const kept = leader(await observe(orders));
      const before = await observe(orders);
      const { members, gateway } = await settle(readers);
      expect(members.map(({ ordinal, postgres }) => [ordinal, postgres?.role])).toEqual([
        [0, "replica"],
        [1, "replica"],
      ]);
      expect(streaming(members)).toHaveLength(2);
      expect(synchronous(members)).toHaveLength(0);
      // Of their own size, whatever that of the service is.
      expect(members.map(({ limits }) => limits)).toEqual([memberLimits(SMALL), memberLimits(SMALL)]);
      expect(members[0]?.postgres?.settings).toEqual(settingsFor(SMALL, {}));
      expect(gateway).toEqual({ state: "running", serving: true, allowList: EVERY_ADDRESS });
      const after = await observe(orders);
      expect(after.members.map(({ ordinal }) => ordinal)).toEqual(
        before.members.map(({ ordinal }) => ordinal),
      );
      expect(leader(after)).toBe(kept);
    });

    test("gives members that only read another size, one after another, and a pooler", async () => {
      change(readers, { size: LARGE, pooler: true });
      const { members, pooler } = await settle(readers, ({ observed }) => {
        expect(observed?.members.some(({ postgres }) => postgres !== null)).toBe(true);
      });
      for (const { limits, postgres } of members) {
        expect(limits).toEqual(memberLimits(LARGE));
        expect(postgres?.settings).toEqual(settingsFor(LARGE, {}));
      }
      expect(pooler).toEqual({ state: "running", serving: true });
    });

    test("tells of a killed primary, and a service with replicas becomes writable again with its data", async () => {
      const { serviceId } = orders.identity;
      await subject.write(serviceId, leader(await observe(orders)));
      const told: string[] = [];
      const watching = new AbortController();
      try {
        subject.platform.watch((id) => told.push(id), watching.signal);
        // Nobody tells when a watch has begun; the fault is what must not be missed.
        await subject.pace.pass(3_000);
        await subject.killMember(serviceId, leader(await observe(orders)));
        await until(subject.pace, () => told.includes(serviceId));
      } finally {
        watching.abort();
      }
      expect(new Set(told)).toEqual(new Set([serviceId]));
      const observed = await settle(orders);
      expect(streaming(observed.members)).toHaveLength(2);
      expect(await subject.countWrites(serviceId, leader(observed))).toBe(2);
    });

    test("lets members that only read follow the new primary, and makes one again that was killed", async () => {
      const { timeline } =
        (await observe(orders)).members.find(({ postgres }) => postgres?.writable)?.postgres ?? {};
      const { members } = await settle(readers);
      expect(streaming(members).map(({ postgres }) => postgres?.timeline)).toEqual([timeline, timeline]);
      await subject.killMember(readers.identity.serviceId, 0);
      expect(streaming((await settle(readers)).members)).toHaveLength(2);
      change(readers, { replicaCount: 0 });
      expect(streaming((await settle(readers)).members)).toHaveLength(1);
    });

    test("removes members that only read, and nothing of what they read from", async () => {
      const before = await observe(orders);
      change(readers, { presence: "absent" });
      const { foundation, configuration, ...own } = await settle(readers);
      const { foundation: _, configuration: __, ...nothing } = NOTHING;
      expect(own).toEqual(nothing);
      expect(foundation).toBe("present");
      expect(configuration).toEqual(before.configuration);
      expect(await execute({ kind: "removeService" }, readers)).toEqual({ kind: "done" });
      expect((await observe(orders)).members).toHaveLength(before.members.length);
      expect(leader(await observe(orders))).toBe(leader(before));
    });

    test("stops all members and starts them again, as they were, with what was changed meanwhile", async () => {
      const { serviceId } = orders.identity;
      const before = await observe(orders);
      const kept = leader(before);
      change(orders, { power: "stopped" });
      const stopped = await settle(orders);
      expectStopped(stopped);
      expect(stopped.members.map(({ ordinal }) => ordinal)).toEqual([0, 1, 2]);
      expect(stopped.members.toSorted((a, b) => (b.endedAtMs ?? 0) - (a.endedAtMs ?? 0))[0]?.ordinal).toBe(
        kept,
      );

      orders.identity = withAnotherPassword(orders.identity);
      change(orders, { passwordVersion: 3, allowList: ["192.0.2.0/24"] });
      expect((await settle(orders)).gateway.allowList).toEqual(["192.0.2.0/24"]);
      change(orders, { power: "running" });
      const resumed = await settle(orders);
      expect(leader(resumed)).toBe(kept);
      expect(streaming(resumed.members)).toHaveLength(2);
      expect(synchronous(resumed.members)).toHaveLength(1);
      expect(resumed.members.map(({ limits }) => limits)).toEqual(before.members.map(({ limits }) => limits));
      expect(resumed.roles).toEqual({ current: true, passwordVersion: 3 });
      expect(resumed.gateway).toEqual({ state: "running", serving: true, allowList: ["192.0.2.0/24"] });
      expect(await subject.countWrites(serviceId, kept)).toBe(2);
      change(orders, { allowList: EVERY_ADDRESS });
      await settle(orders, primaryGoesOn(kept));
    });

    test("goes down to no replica without the primary noticing", async () => {
      const before = await observe(orders);
      const kept = leader(before);
      change(orders, { replicaCount: 0, syncReplicaCount: 0 });
      const { members } = await settle(orders, primaryGoesOn(kept));
      expect(members).toMatchObject(before.members.filter(({ ordinal }) => ordinal === kept));
      expect(await subject.countWrites(orders.identity.serviceId, kept)).toBe(2);
    });

    test("gives an only member the limits and settings of a smaller size, by a restart", async () => {
      const kept = leader(await observe(orders));
      change(orders, { size: SMALL });
      const { members } = await settle(orders);
      expect(members.map(({ ordinal }) => ordinal)).toEqual([kept]);
      expect(members[0]?.limits).toEqual(memberLimits(SMALL));
      expect(members[0]?.postgres?.settings).toEqual(settingsFor(SMALL, {}));
      expect(await subject.countWrites(orders.identity.serviceId, kept)).toBe(2);
    });

    test("starts an only member again that was killed, with its data", async () => {
      const { serviceId } = orders.identity;
      const kept = leader(await observe(orders));
      await subject.killMember(serviceId, kept);
      expect(leader(await settle(orders))).toBe(kept);
      expect(await subject.countWrites(serviceId, kept)).toBe(2);
    });

    test("ends an only member at once, which may be repeated, and starts it with its data", async () => {
      const { serviceId } = orders.identity;
      const kept = leader(await observe(orders));
      for (let i = 0; i < 2; i += 1) {
        expect(await execute({ kind: "endMember", ordinal: kept }, orders)).toEqual({ kind: "done" });
        expect((await observe(orders)).members).toMatchObject([{ container: "stopped", postgres: null }]);
      }
      expect(leader(await settle(orders))).toBe(kept);
      expect(await subject.countWrites(serviceId, kept)).toBe(2);
    });

    test("stops an only member, which answers every further stop, and starts it with its data", async () => {
      const { serviceId } = orders.identity;
      const before = await observe(orders);
      const kept = leader(before);
      change(orders, { power: "stopped" });
      const stopped = await settle(orders);
      expectStopped(stopped);
      expect(await execute({ kind: "stopMember", ordinal: kept }, orders)).toEqual({ kind: "done" });
      expect((await observe(orders)).members).toEqual(stopped.members);
      change(orders, { power: "running" });
      const resumed = await settle(orders);
      expect(resumed.members.map(withoutTimeline)).toEqual(before.members.map(withoutTimeline));
      expect(resumed.roles).toEqual(before.roles);
      expect(await subject.countWrites(serviceId, kept)).toBe(2);
    });

    test("stops a primary that was killed and a replica that has nothing yet, and finds the data again", async () => {
      const { serviceId } = orders.identity;
      const { platform, pace } = subject;
      const { kept, identity } = orders;
      const lead = leader(await observe(orders));
      change(orders, { replicaCount: 1 });
      const deadline = pace.now().getTime() + SETTLED_WITHIN_MS;
      let look: Look;
      do look = await lookOnce(kept, { platform, identity, pace });
      while (look.step?.kind !== "createMember" && pace.now().getTime() < deadline);
      await subject.killMember(serviceId, lead);
      change(orders, { power: "stopped" });
      expectStopped(await settle(orders));
      change(orders, { power: "running", replicaCount: 0 });
      expect(leader(await settle(orders))).toBe(lead);
      expect(await subject.countWrites(serviceId, lead)).toBe(2);
    });

    test("begins a fork with its parent's data, as a database of its own, beneath a parent that goes on", async () => {
      const { serviceId } = orders.identity;
      const before = await observe(orders);
      const observed = await settle(fork);
      expect(observed.members).toMatchObject([primaryOf(SMALL, expect.any(Number))]);
      expect(observed.roles).toEqual({ current: true, passwordVersion: 1 });
      expect(observed.copy).toEqual(NOTHING.copy);
      expect(await observe(orders)).toEqual(before);
      const forkId = fork.identity.serviceId;
      expect(await subject.countWrites(forkId, 0)).toBe(2);
      const forks = await subject.databaseIdentity(forkId, 0);
      expect(forks).not.toBe(await subject.databaseIdentity(serviceId, leader(before)));
    });

    test("keeps a fork and its parent apart", async () => {
      const kept = leader(await observe(orders));
      await subject.write(fork.identity.serviceId, 0);
      expect(await subject.countWrites(orders.identity.serviceId, kept)).toBe(2);
      await subject.write(orders.identity.serviceId, kept);
      await subject.write(orders.identity.serviceId, kept);
      expect(await subject.countWrites(fork.identity.serviceId, 0)).toBe(3);
    });

    test("leaves nothing of a service that is removed, and its fork as it was", async () => {
      const before = await observe(fork);
      change(orders, { presence: "absent" });
      expect(await settle(orders)).toEqual(NOTHING);
      expect(await observe(fork)).toEqual(before);
      await subject.killMember(fork.identity.serviceId, 0);
      await settle(fork);
      expect(await subject.countWrites(fork.identity.serviceId, 0)).toBe(3);
    });

    test("fails to copy a parent that is gone, and says so", async () => {
      change(fork, { presence: "absent" });
      expect(await settle(fork)).toEqual(NOTHING);
      const limits = memberLimits(SMALL);
      const parentId = orders.identity.serviceId;
      const outcome = await execute({ kind: "copyParent", ordinal: 0, limits, parentId }, fork);
      expect(outcome).toMatchObject({ kind: "failed", why: "the parent is not there" });
      expect(await execute({ kind: "removeService" }, fork)).toEqual({ kind: "done" });
      expect(await observe(fork)).toEqual(NOTHING);
    });
  });
}

function tenant(identity: ServiceIdentity, desired: Parameters<typeof desiredService>[0] = {}): Tenant {
  const { serviceId } = identity;
  return { identity, kept: keep(desiredService({ ...desired, serviceId })) };
}

function configurationOf({ kept: { desired } }: Tenant) {
  return {
    settings: settingsFor(desired.size, desired.parameters),
    syncReplicaCount: desired.syncReplicaCount,
  };
}

/** Nothing runs but the gateway, which may take a moment to notice, and everything is kept. */
function expectStopped({ members, gateway, pooler, roles }: ObservedService): void {
  for (const member of members) {
    expect(member).toMatchObject({
      hasVolume: true,
      container: "stopped",
      endedAtMs: expect.any(Number),
      postgres: null,
    });
  }
  expect(gateway.state).toBe("running");
  expect({ pooler, roles }).toEqual({ pooler: NOTHING.pooler, roles: null });
}

/** Whoever leads anew begins a new timeline. */
function withoutTimeline({ postgres, ...member }: ObservedMember) {
  return { ...member, postgres: postgres && { ...postgres, timeline: 0 } };
}

function primaryOf(size: typeof SMALL, timeline: unknown = 1) {
  return {
    ordinal: 0,
    hasVolume: true,
    container: "running",
    limits: memberLimits(size),
    postgres: {
      role: "primary",
      writable: true,
      timeline,
      settings: settingsFor(size, {}),
      storage: "enough",
      replication: null,
    },
  };
}

function streaming(members: readonly ObservedMember[]): readonly ObservedMember[] {
  return members.filter(({ postgres }) => postgres?.replication?.state === "streaming");
}

function synchronous(members: readonly ObservedMember[]): readonly ObservedMember[] {
  return members.filter(({ postgres }) => postgres?.replication?.synchronous);
}

function leader({ members }: ObservedService): number {
  const writable = members.filter(({ postgres }) => postgres?.writable);
  expect(writable).toHaveLength(1);
  return writable[0]?.ordinal ?? -1;
}

/** Every look has to find the same member writing, on the same timeline, through an endpoint that leads to it. */
function primaryGoesOn(ordinal: number): (look: Look) => void {
  let timeline: number | undefined;
  return ({ observed }) => {
    const postgres = observed?.members.find((member) => member.ordinal === ordinal)?.postgres;
    expect(postgres?.writable).toBe(true);
    expect(observed?.gateway.serving).toBe(true);
    timeline ??= postgres?.timeline;
    expect(postgres?.timeline).toBe(timeline);
  };
}

async function until(pace: Pace, condition: () => boolean): Promise<void> {
  const deadline = pace.now().getTime() + TOLD_WITHIN_MS;
  while (!condition()) {
    if (pace.now().getTime() > deadline) throw new Error(`not told within ${TOLD_WITHIN_MS} ms`);
    await pace.pass(POLL_MS);
  }
}
