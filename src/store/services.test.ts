import { sql } from "kysely";
import { expect, test } from "vitest";
import { putService } from "../../test/support/drafts.ts";
import { eventually } from "../../test/support/eventually.ts";
import { openTestStore } from "../../test/support/store.ts";
import { deleteService } from "./delete-service.ts";
import { listEvents } from "./events.ts";
import { firstShape, type Shape } from "./service-row.ts";
import { type ChangeRequest, changeShape, getService } from "./services.ts";

const opened = await openTestStore();
const { store, projectId } = opened;
const { db } = store;

const change = (serviceId: string, changes: Partial<Shape>, more: Partial<ChangeRequest> = {}) =>
  changeShape(db, {
    projectId,
    serviceId,
    actor: "key:test",
    eventType: "service.changed",
    decide: (current) => ({ kind: "shape", shape: { ...current, ...changes }, message: "changed" }),
    admit: () => null,
    ...more,
  });

test("a change that was decided for what has changed meanwhile is decided again", async () => {
  const serviceId = await putService(opened, {
    shape: { ...firstShape({ kind: "shared" }), replicaCount: 4 },
  });
  const other = await db.startTransaction().execute();
  await other
    .updateTable("services")
    .set({ generation: sql`generation + 1`, replica_count: 3, sync_replica_count: 2 })
    .where("id", "=", serviceId)
    .execute();
  // Decided for 4 replicas, none synchronous; then it has to wait for the other transaction.
  const seen: Shape[] = [];
  const changing = change(
    serviceId,
    {},
    {
      decide: (current) => {
        seen.push(current);
        return { kind: "shape", shape: { ...current, replicaCount: 2 }, message: "fewer" };
      },
    },
  );
  await eventually(async () => expect(await waiting()).toBe(1));
  await other.commit().execute();

  expect((await changing).kind).toBe("changed");
  expect(seen.map(({ replicaCount }) => replicaCount)).toEqual([4, 3]);
  expect(await getService(db, projectId, serviceId)).toMatchObject({
    generation: 3,
    replica_count: 2,
    sync_replica_count: 2,
  });
  expect(await listEvents(db, serviceId, { limit: 10 })).toHaveLength(2);
});

test("whoever starts a service again comes from a stop, whether that had got to its end or not", async () => {
  const serviceId = await putService(opened);
  const settledPower = async () => {
    const row = await db
      .selectFrom("services")
      .select("settled_power")
      .where("id", "=", serviceId)
      .executeTakeFirstOrThrow();
    return row.settled_power;
  };
  await change(serviceId, { power: "stopped" });
  expect(await settledPower()).toBe("running");
  await change(serviceId, { power: "running" });
  expect(await settledPower()).toBe("stopped");
  await change(serviceId, { replicaCount: 1 });
  expect(await settledPower()).toBe("stopped");
  await change(serviceId, { power: "stopped" });
  expect(await settledPower()).toBe("running");
});

test("a change that comes too late for a service that is going is told so", async () => {
  const serviceId = await putService(opened);
  const other = await db.startTransaction().execute();
  await other
    .updateTable("services")
    .set({ generation: sql`generation + 1`, presence: "absent" })
    .where("id", "=", serviceId)
    .execute();
  const changing = change(serviceId, {});
  await eventually(async () => expect(await waiting()).toBe(1));
  await other.commit().execute();
  expect(await changing).toEqual({ kind: "deleting" });
});

test("a deletion that is asked for by many at once is accepted once", async () => {
  const serviceId = await putService(opened);
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => deleteService(db, { projectId, serviceId, actor: "key:test" })),
  );
  expect(answers.map(({ kind }) => kind)).toEqual(Array(6).fill("deleting"));
  expect((await listEvents(db, serviceId, { limit: 10 })).map(({ type }) => type)).toEqual([
    "service.delete.accepted",
    "service.create.accepted",
  ]);
  expect((await getService(db, projectId, serviceId))?.generation).toBe(2);
});

test("nothing of another project is changed", async () => {
  const serviceId = await putService(opened);
  const elsewhere = { projectId: "elsewhere0", serviceId, actor: "key:test" };
  expect(await change(serviceId, {}, elsewhere)).toEqual({ kind: "missing" });
  expect(await deleteService(db, elsewhere)).toEqual({ kind: "missing" });
  expect((await getService(db, projectId, serviceId))?.generation).toBe(1);
});

/** How many sessions wait for a lock in this database. */
async function waiting(): Promise<number> {
  const { rows } = await store.pool.query<{ count: number }>(
    "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows[0]?.count ?? 0;
}
