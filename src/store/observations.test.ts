/** What was seen of services is kept beside them, written when it differs, and gone with them. */
import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import { putService } from "../../test/support/drafts.ts";
import { openTestStore } from "../../test/support/store.ts";
import { deleteService } from "./delete-service.ts";
import type { DueService } from "./due-service.ts";
import type { PassResult } from "./pass-result.ts";
import { getPlannedService, rehearse } from "./plans.ts";
import { createReconcileQueue } from "./reconcile-queue.ts";
import { type ChangeRequest, changeShapeIn, getService } from "./services.ts";

const opened = await openTestStore();
const { store, encryption, projectId } = opened;
const { db } = store;
const queue = createReconcileQueue(db, encryption, "here", 60_000);

const FOUND: PassResult = {
  status: "READY",
  statusReason: "Everything that was asked for is in force.",
  conditions: [],
  inForce: null,
  waiting: null,
  settledGeneration: 1,
  attempts: 0,
  dueInMs: 0,
  withdrawn: null,
  events: [],
};
const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 9, 30, second));

beforeEach(async () => {
  await db.deleteFrom("services").execute();
  await db.updateTable("ports").set({ service_id: null }).execute();
});

async function claim(serviceId: string): Promise<DueService> {
  await db.updateTable("services").set({ due_at: sql`now()` }).execute();
  const claimed = (await queue.claimDue(10)).find((service) => service.serviceId === serviceId);
  if (!claimed) throw new Error("it was not due");
  return claimed;
}

/** Which version of the row it is: changes with every write. */
async function version(): Promise<unknown> {
  return (await sql<{ xmin: unknown }>`select xmin from observations`.execute(db)).rows;
}

async function seen(serviceId: string) {
  return (await getPlannedService(db, projectId, serviceId))?.observation;
}

test("nothing is told of what nobody has looked at", async () => {
  const serviceId = await putService(opened);
  expect(await seen(serviceId)).toBeNull();
});

test("what a pass has seen is told as it was, also what an engine has said", async () => {
  const serviceId = await putService(opened);
  const observed = { members: [{ ordinal: 0, limits: null }], problem: "a \u0000 and half a \ud83d" };
  await queue.finish(await claim(serviceId), { ...FOUND, observation: { at: at(1), observed } });
  expect(await seen(serviceId)).toEqual({ at: at(1), observed });
});

test("the same is not written again, and yet it is told when it was seen last", async () => {
  const serviceId = await putService(opened);
  await queue.finish(await claim(serviceId), { ...FOUND, observation: { at: at(1), observed: { n: 1 } } });
  const first = await version();
  await queue.finish(await claim(serviceId), { ...FOUND, observation: { at: at(2), observed: { n: 1 } } });
  expect(await version()).toEqual(first);
  expect(await seen(serviceId)).toEqual({ at: at(2), observed: { n: 1 } });
  await queue.finish(await claim(serviceId), { ...FOUND, observation: { at: at(3), observed: { n: 2 } } });
  expect(await seen(serviceId)).toEqual({ at: at(3), observed: { n: 2 } });
});

test("what is announced before a step is told while that takes its time, and stays", async () => {
  const serviceId = await putService(opened);
  const service = await claim(serviceId);
  await queue.announce(service, { ...FOUND, observation: { at: at(1), observed: { n: 1 } } });
  expect(await seen(serviceId)).toEqual({ at: at(1), observed: { n: 1 } });
  await queue.finish(service, FOUND);
  expect(await seen(serviceId)).toEqual({ at: at(1), observed: { n: 1 } });
});

test("whoever has lost the lease keeps nothing", async () => {
  const serviceId = await putService(opened);
  const mine = await claim(serviceId);
  await queue.finish(mine, FOUND);
  await claim(serviceId);
  const late = { ...FOUND, observation: { at: at(9), observed: { late: true } } };
  expect(await queue.finish(mine, late)).toBe(false);
  expect(await seen(serviceId)).toBeNull();
});

test("it goes with its service", async () => {
  const serviceId = await putService(opened);
  await queue.finish(await claim(serviceId), { ...FOUND, observation: { at: at(1), observed: { n: 1 } } });
  await deleteService(db, { projectId, serviceId, actor: "key:test" });
  expect(await queue.forget(await claim(serviceId))).toBe(true);
  expect(await version()).toEqual([]);
});

test("a rehearsed change is planned for and undone, also where it breaks", async () => {
  const serviceId = await putService(opened);
  const before = await getService(db, projectId, serviceId);
  const change: ChangeRequest = {
    projectId,
    serviceId,
    actor: "key:test",
    eventType: "tested",
    decide: (shape) => ({ kind: "shape", shape: { ...shape, replicaCount: 2 }, message: "two" }),
  };
  expect(await rehearse(db, change, (trx) => changeShapeIn(trx, change))).toMatchObject({
    kind: "rehearsed",
    service: { serviceId, replicaCount: 2, generation: 2 },
  });
  const breaking = rehearse(db, change, async (trx) => {
    await changeShapeIn(trx, change);
    throw new Error("in the middle");
  });
  await expect(breaking).rejects.toThrow("in the middle");
  expect(await getService(db, projectId, serviceId)).toEqual(before);
});
