import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { draft, putService } from "../../test/support/drafts.ts";
import { eventually } from "../../test/support/eventually.ts";
import { openTestStore } from "../../test/support/store.ts";
import { deleteService } from "./delete-service.ts";
import type { DueService } from "./due-service.ts";
import { createEncryption } from "./encryption.ts";
import { listEvents } from "./events.ts";
import type { PassResult } from "./pass-result.ts";
import { createReconcileQueue, makeAllDue, type ReconcileQueue } from "./reconcile-queue.ts";
import { addPorts, portStock, reportRegion, takenPorts } from "./regions.ts";
import { firstShape, type Shape } from "./service-row.ts";
import { changeShape, getService } from "./services.ts";

const opened = await openTestStore();
const { store, encryption, projectId, regionCode } = opened;
const { db } = store;

const LEASE_MS = 60_000;
const queueOf = (holder: string, leaseMs = LEASE_MS) => createReconcileQueue(db, encryption, holder, leaseMs);
const queue = queueOf("here");

const LARGE = { kind: "dedicated", cpuMillis: 1000, memoryGbs: 4 } as const;
const SMALL_SIZING = { size: { kind: "dedicated", cpuMillis: 500, memoryGbs: 2 }, parameters: {} } as const;

const READY: PassResult = {
  status: "READY",
  statusReason: "Everything that was asked for is in force.",
  conditions: [
    {
      type: "Settled",
      status: "True",
      reason: "AsAsked",
      message: "Done.",
      since: "2026-11-21T05:00:00.000Z",
    },
  ],
  inForce: null,
  waiting: null,
  settledGeneration: 1,
  attempts: 0,
  dueInMs: 30_000,
  withdrawn: null,
  events: [],
};

beforeEach(async () => {
  await db.deleteFrom("services").execute();
  await db.updateTable("ports").set({ service_id: null }).execute();
});

describe("claiming", () => {
  test("gives a service that was created, with everything the reconciler needs", async () => {
    const serviceId = await putService(opened, {
      shape: { ...firstShape({ kind: "shared" }), replicaCount: 2, syncReplicaCount: 1 },
    });
    expect(await queue.claimDue(10)).toMatchObject([
      {
        serviceId,
        projectId,
        name: "orders",
        regionCode,
        identity: { addons: ["time-series"], secrets: { replicationPassword: "replication" } },
        generation: 1,
        settledGeneration: 0,
        settledPower: "running",
        presence: "present",
        power: "running",
        pooler: false,
        allowList: ["0.0.0.0/0", "::/0"],
        parameters: {},
        passwordVersion: 1,
        forkedFrom: null,
        handOverFrom: null,
        settledSizing: null,
        size: { kind: "shared" },
        replicaCount: 2,
        syncReplicaCount: 1,
        status: "QUEUED",
        conditions: [],
        waiting: null,
        attempts: 0,
      },
    ]);
  });

  test("gives a service to one claimer only, however many ask at once", async () => {
    const created = await Promise.all(Array.from({ length: 20 }, () => putService(opened)));
    const claims = await Promise.all(
      Array.from({ length: 8 }, (_, index) => queueOf(`process ${index}`).claimDue(5)),
    );
    const claimed = claims.flat().map(({ serviceId }) => serviceId);
    expect(new Set(claimed).size).toBe(claimed.length);
    expect(claimed.toSorted()).toEqual(created.toSorted());
  });

  test("respects the limit, and prefers what has been due longest", async () => {
    const [first, second] = [await putService(opened), await putService(opened)];
    expect((await queue.claimDue(1)).map(({ serviceId }) => serviceId)).toEqual([first]);
    expect((await queue.claimDue(5)).map(({ serviceId }) => serviceId)).toEqual([second]);
  });

  test("leaves the services of other regions to those who play them", async () => {
    await reportRegion(db, "elsewhere", { cpuMillis: 1, memoryBytes: 1 });
    await addPorts(db, "elsewhere", [30_000, 30_001]);
    const there = await putService(opened, { regionCode: "elsewhere" });
    expect(await queue.claimDue(10, [regionCode])).toEqual([]);
    expect(await queue.nextDueInMs([regionCode])).toBeNull();
    expect((await queue.claimDue(10, ["elsewhere"])).map(({ serviceId }) => serviceId)).toEqual([there]);
  });

  test("does not wait for a service that a request is changing at the moment", async () => {
    const changing = await putService(opened);
    const free = await putService(opened);
    const trx = await db.startTransaction().execute();
    await trx.selectFrom("services").select("id").where("id", "=", changing).forUpdate().execute();
    expect((await queue.claimDue(10)).map(({ serviceId }) => serviceId)).toEqual([free]);
    await trx.rollback().execute();
  });

  test("gives nothing that is not due yet", async () => {
    await putService(opened);
    const [service] = await queue.claimDue(1);
    await finish(queue, service, { ...READY, dueInMs: 30_000 });
    expect(await queue.claimDue(10)).toEqual([]);
  });

  test("sets aside what another master key sealed, and gives the rest of the batch", async () => {
    const sealedByOther = await putService({ ...opened, encryption: createEncryption(Buffer.alloc(32, 1)) });
    const readable = await putService(opened);
    expect((await queue.claimDue(10)).map(({ serviceId }) => serviceId)).toEqual([readable]);
    expect((await getService(db, projectId, sealedByOther))?.status_reason).toMatch(/master key/);
    expect(await queueOf("there").claimDue(10)).toEqual([]);
  });
});

describe("the next time", () => {
  test("is null without services, and 0 when one is due", async () => {
    expect(await queue.nextDueInMs()).toBeNull();
    await putService(opened);
    expect(await queue.nextDueInMs()).toBe(0);
  });

  test("is the end of the pause of what was finished", async () => {
    await putService(opened);
    const [service] = await queue.claimDue(1);
    await finish(queue, service, { ...READY, dueInMs: 20_000 });
    expect(await queue.nextDueInMs()).toBeGreaterThan(15_000);
    expect(await queue.nextDueInMs()).toBeLessThanOrEqual(20_000);
  });

  test("is the end of the lease of what somebody holds", async () => {
    await putService(opened);
    await queue.claimDue(1);
    expect(await queue.nextDueInMs()).toBeGreaterThan(LEASE_MS - 5_000);
  });
});

describe("a lease", () => {
  test("that expired is taken over, and its former holder writes nothing", async () => {
    const serviceId = await putService(opened);
    const [mine] = await queueOf("slow", 0).claimDue(1);
    const [theirs] = await queue.claimDue(1);
    expect(theirs?.serviceId).toBe(serviceId);

    expect(
      await finish(queueOf("slow"), mine, { ...READY, events: [{ type: "step", message: "late" }] }),
    ).toBe(false);
    expect((await getService(db, projectId, serviceId))?.status).toBe("QUEUED");
    expect((await listEvents(db, serviceId, { limit: 10 })).map(({ type }) => type)).toEqual([
      "service.create.accepted",
    ]);
    expect(await finish(queue, theirs, READY)).toBe(true);
  });

  test("is known by its claim, so that a process cannot finish an older pass of its own", async () => {
    await putService(opened);
    const expiring = queueOf("here", 0);
    const [older] = await expiring.claimDue(1);
    const [newer] = await queue.claimDue(1);
    expect(await finish(queue, older, READY)).toBe(false);
    expect(await finish(queue, newer, READY)).toBe(true);
  });

  test("is given back once: a second finish writes nothing", async () => {
    await putService(opened);
    const [service] = await queue.claimDue(1);
    expect(await finish(queue, service, READY)).toBe(true);
    expect(await finish(queue, service, READY)).toBe(false);
  });

  test("lasts as long as it is renewed", async () => {
    const serviceId = await putService(opened);
    await queueOf("here", 0).claimDue(1);
    await queue.renew([serviceId]);
    expect(await queueOf("there").claimDue(1)).toEqual([]);
  });

  test("of another process is not renewed", async () => {
    const serviceId = await putService(opened);
    await queueOf("there", 0).claimDue(1);
    expect(await queue.renew([serviceId])).toEqual([]);
    expect(await queue.claimDue(1)).toHaveLength(1);
  });

  test("is renewed beside one that is being written to, which is waited for by nobody", async () => {
    const [busy, free] = [await putService(opened), await putService(opened)];
    await queue.claimDue(2);
    await opened.store.db.transaction().execute(async (trx) => {
      await trx.selectFrom("services").select("id").where("id", "=", busy).forUpdate().execute();
      expect(await queue.renew([busy, free])).toEqual([free]);
    });
    expect([...(await queue.renew([busy, free]))].sort()).toEqual([busy, free].sort());
  });
});

describe("finishing", () => {
  test("writes what the pass found, and tells a change of status in an event", async () => {
    const serviceId = await putService(opened);
    const [service] = await queue.claimDue(1);
    const since = new Date("2026-11-21T05:00:00Z");
    await finish(queue, service, {
      ...READY,
      status: "CONFIGURING",
      statusReason: "Waiting for a primary.",
      waiting: { reason: "primary", since },
      settledGeneration: null,
      attempts: 3,
      dueInMs: 0,
      events: [{ type: "service.step", message: "Opening the endpoint", data: { step: "ensureGateway" } }],
    });

    expect(await queue.claimDue(1)).toMatchObject([
      {
        status: "CONFIGURING",
        statusReason: "Waiting for a primary.",
        conditions: READY.conditions,
        waiting: { reason: "primary", since },
        settledGeneration: 0,
        attempts: 3,
      },
    ]);
    expect(await listEvents(db, serviceId, { limit: 2 })).toMatchObject([
      {
        type: "service.status",
        actor: "howdah",
        message: "QUEUED → CONFIGURING: Waiting for a primary.",
        data: { from: "QUEUED", to: "CONFIGURING" },
      },
      { type: "service.step", message: "Opening the endpoint", data: { step: "ensureGateway" } },
    ]);
  });

  test("tells nothing when the status stays", async () => {
    const serviceId = await putService(opened);
    const [first] = await queue.claimDue(1);
    await finish(queue, first, { ...READY, dueInMs: 0 });
    const [second] = await queue.claimDue(1);
    await finish(queue, second, READY);
    expect(await listEvents(db, serviceId, { limit: 10 })).toHaveLength(2);
  });

  test("takes back a size that cannot be had, and tells so", async () => {
    const serviceId = await putService(opened);
    const [first] = await queue.claimDue(1);
    await finish(queue, first, { ...READY, dueInMs: 0 });
    await resize(serviceId);
    const [second] = await queue.claimDue(1);
    expect(second).toMatchObject({ generation: 2, size: LARGE, settledSizing: { size: first?.size } });
    const withdrawn = { sizing: second?.settledSizing ?? SMALL_SIZING, message: "It goes back." };
    await finish(queue, second, { ...READY, settledGeneration: null, dueInMs: 0, withdrawn });
    expect(await queue.claimDue(1)).toMatchObject([{ generation: 3, size: first?.size, attempts: 0 }]);
    expect((await listEvents(db, serviceId, { limit: 1 }))[0]).toMatchObject({
      type: "service.withdrawn",
      message: "It goes back.",
      actor: "howdah",
    });
  });

  test("takes nothing back where something else was asked for meanwhile", async () => {
    const serviceId = await putService(opened);
    const [first] = await queue.claimDue(1);
    await resize(serviceId);
    await finish(queue, first, {
      ...READY,
      settledGeneration: null,
      dueInMs: 0,
      withdrawn: { sizing: SMALL_SIZING, message: "It goes back." },
    });
    expect(await queue.claimDue(1)).toMatchObject([{ generation: 2, size: LARGE }]);
    const events = await listEvents(db, serviceId, { limit: 10 });
    expect(events.map(({ type }) => type)).not.toContain("service.withdrawn");
  });

  test("never takes back a generation that was settled", async () => {
    await putService(opened);
    const [first] = await queue.claimDue(1);
    await finish(queue, first, { ...READY, dueInMs: 0 });
    const [second] = await queue.claimDue(1);
    await finish(queue, second, { ...READY, status: "UNSTABLE", settledGeneration: null, dueInMs: 0 });
    expect(await queue.claimDue(1)).toMatchObject([{ settledGeneration: 1, status: "UNSTABLE" }]);
  });

  test("leaves the status of a request that came in meanwhile, and is due in a moment", async () => {
    const serviceId = await putService(opened);
    const [service] = await queue.claimDue(1);
    await addReplica(serviceId);
    expect(await finish(queue, service, { ...READY, attempts: 5 })).toBe(true);

    expect(await claimInAMoment()).toMatchObject([
      { status: "QUEUED", generation: 2, settledGeneration: 1, replicaCount: 1, attempts: 0 },
    ]);
  });

  test("leaves DELETING when the deletion came in meanwhile", async () => {
    const serviceId = await putService(opened);
    const [service] = await queue.claimDue(1);
    await deleteService(db, { projectId, serviceId, actor: "key:test" });
    await finish(queue, service, { ...READY, status: "CONFIGURING" });
    expect(await claimInAMoment()).toMatchObject([{ status: "DELETING", presence: "absent" }]);
  });
});

/** Passes over one service keep a short distance; longer than that, nobody who was asked for waits. */
async function claimInAMoment() {
  const inMs = (await queue.nextDueInMs()) ?? Number.POSITIVE_INFINITY;
  expect(inMs).toBeLessThanOrEqual(250);
  return eventually(async () => {
    const claimed = await queue.claimDue(1);
    expect(claimed).toHaveLength(1);
    return claimed;
  });
}

describe("an outside event", () => {
  test("makes a service due that was to wait", async () => {
    const serviceId = await putService(opened);
    const [service] = await queue.claimDue(1);
    await finish(queue, service, READY);
    await queue.makeDue(serviceId);
    expect(await queue.claimDue(1)).toHaveLength(1);
  });

  test("during a pass is not lost: the service is due again in a moment", async () => {
    const serviceId = await putService(opened);
    const [service] = await queue.claimDue(1);
    await queue.makeDue(serviceId);
    expect(await queueOf("there").claimDue(1)).toEqual([]);
    await finish(queue, service, READY);
    expect(await claimInAMoment()).toHaveLength(1);
  });

  test("does not postpone what is due already", async () => {
    const [first, second] = [await putService(opened), await putService(opened)];
    await queue.makeDue(first);
    expect((await queue.claimDue(1)).map(({ serviceId }) => serviceId)).toEqual([first]);
    expect((await queue.claimDue(1)).map(({ serviceId }) => serviceId)).toEqual([second]);
  });

  test("of a service that nobody knows is no error", async () => {
    await expect(queue.makeDue("nowhere000")).resolves.toBeUndefined();
  });
});

describe("a new beginning", () => {
  test("makes every service due that waits for its time, and leaves those alone that somebody is at", async () => {
    const waits = await putService(opened);
    const [service] = await queue.claimDue(1);
    if (!service) throw new Error("not due");
    await queue.finish(service, { ...READY, dueInMs: 3_600_000 });
    await putService(opened);
    await queueOf("there").claimDue(1);
    expect(await queue.claimDue(10)).toEqual([]);
    await makeAllDue(db);
    expect((await queue.claimDue(10)).map(({ serviceId }) => serviceId)).toEqual([waits]);
  });
});

describe("forgetting", () => {
  test("removes the row and the ports, and keeps the events", async () => {
    const stock = await portStock(db, regionCode);
    const serviceId = await putService(opened);
    expect(await portStock(db, regionCode)).toBe(stock - 2);
    await deleteService(db, { projectId, serviceId, actor: "key:test" });
    const [service] = await queue.claimDue(1);
    if (!service) throw new Error("not due");
    expect(await takenPorts(db, regionCode)).toContain(service.identity.port);

    expect(await queue.forget(service)).toBe(true);
    expect(await getService(db, projectId, serviceId)).toBeNull();
    expect(await takenPorts(db, regionCode)).not.toContain(service.identity.port);
    expect((await listEvents(db, serviceId, { limit: 10 })).map(({ type }) => type)).toEqual([
      "service.deleted",
      "service.delete.accepted",
      "service.create.accepted",
    ]);
  });

  test("is refused to whoever lost the lease", async () => {
    const serviceId = await putService(opened);
    await deleteService(db, { projectId, serviceId, actor: "key:test" });
    const [late] = await queueOf("slow", 0).claimDue(1);
    await queue.claimDue(1);
    if (!late) throw new Error("not due");
    expect(await queueOf("slow").forget(late)).toBe(false);
    expect(await getService(db, projectId, serviceId)).not.toBeNull();
  });

  test("is refused for a service that shall be present", async () => {
    const serviceId = await putService(opened);
    const [service] = await queue.claimDue(1);
    if (!service) throw new Error("not due");
    expect(await queue.forget(service)).toBe(false);
    expect(await getService(db, projectId, serviceId)).not.toBeNull();
  });
});

test("what was refused leaves no service to claim", async () => {
  await draft(opened, { admit: () => ({ message: "no", details: "no" }) });
  expect(await queue.claimDue(1)).toEqual([]);
});

test("leases and pauses go by the database's clock, not by this process's", async () => {
  await putService(opened);
  await queue.claimDue(1);
  const { seconds } = await db
    .selectFrom("services")
    .select(sql<number>`extract(epoch from lease_expires_at - now())::int8`.as("seconds"))
    .executeTakeFirstOrThrow();
  expect(seconds).toBeGreaterThan(LEASE_MS / 1000 - 5);
});

async function finish(from: ReconcileQueue, service: DueService | undefined, result: PassResult) {
  if (!service) throw new Error("Nothing was claimed.");
  return from.finish(service, result);
}

function addReplica(serviceId: string) {
  return reshape(serviceId, { replicaCount: 1 });
}

function resize(serviceId: string) {
  return reshape(serviceId, { size: LARGE });
}

async function reshape(serviceId: string, changes: Partial<Shape>) {
  const outcome = await changeShape(db, {
    projectId,
    serviceId,
    actor: "key:test",
    eventType: "service.change.accepted",
    decide: (current) => ({ kind: "shape", shape: { ...current, ...changes }, message: "otherwise" }),
    admit: () => null,
  });
  expect(outcome.kind).toBe("changed");
}
