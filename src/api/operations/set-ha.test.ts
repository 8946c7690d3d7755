import { describe, expect, test } from "vitest";
import { openTestApi } from "../../../test/support/api.ts";
import { strictErrors } from "../../../test/support/strict.ts";
import { Service, ServiceStatus } from "../../contract/service.ts";
import { addPorts, reportRegion } from "../../store/regions.ts";

const api = await openTestApi();
const { store, services } = api;
const GIB = 1024 ** 3;

/** A service with the counts given, and a way to ask for others. */
async function service(replicas = 0, synchronous = 0) {
  const { service_id } = await api.create();
  const path = `${services}/${service_id}`;
  const setHa = (body: unknown) => api.ask("POST", `${path}/setHA`, body);
  await setHa({ replica_count: replicas, sync_replica_count: synchronous });
  return { path, service_id, setHa };
}

test("answers 202 with the record of what was asked for, QUEUED, without a password", async () => {
  const { path, setHa } = await service();
  const answer = await setHa({ replica_count: 2, sync_replica_count: 1 });
  expect(answer.statusCode).toBe(202);
  const record: Service = answer.json();
  expect(strictErrors(Service, record)).toEqual([]);
  expect(record).toMatchObject({
    status: "QUEUED",
    ha_replicas: { replica_count: 2, sync_replica_count: 1 },
  });
  expect(record).not.toHaveProperty("initial_password");
  expect((await api.ask("GET", path)).json()).toEqual(record);
});

describe("a field that is left out", () => {
  test.each([
    [{ replica_count: 3 }, { replica_count: 3, sync_replica_count: 1 }],
    [{ sync_replica_count: 2 }, { replica_count: 2, sync_replica_count: 2 }],
    [{ sync_replica_count: 0 }, { replica_count: 2, sync_replica_count: 0 }],
    [{ replica_count: 1 }, { replica_count: 1, sync_replica_count: 1 }],
    // Synchronous replicas are among the replicas, so they follow them down.
    [{ replica_count: 0 }, { replica_count: 0, sync_replica_count: 0 }],
  ])("keeps its value: 2 with 1 synchronous becomes, with %j, %j", async (body, expected) => {
    const { setHa } = await service(2, 1);
    expect((await setHa(body)).json()).toMatchObject({ ha_replicas: expected });
  });
});

describe("400", () => {
  test.each([
    ["the body must have at least one of replica_count, sync_replica_count", {}],
    ["sync_replica_count must not be above replica_count", { replica_count: 1, sync_replica_count: 2 }],
    ["sync_replica_count must not be above replica_count", { sync_replica_count: 3 }],
    ["replica_count must be a whole number from 0 to 8", { replica_count: -1 }],
    ["replica_count must be a whole number from 0 to 8", { replica_count: 0.5 }],
    ["replica_count must be a whole number from 0 to 8", { replica_count: 2_147_483_648 }],
    ["replica_count must be a whole number from 0 to 8", { replica_count: "2" }],
    ["sync_replica_count must be a whole number from 0 to 8", { sync_replica_count: 1e21 }],
    ['unknown field "name"', { replica_count: 1, name: "b" }],
    ["the body must be a JSON object", []],
  ])("that says: %s", async (message, body) => {
    const { path, setHa } = await service(2, 1);
    const before = (await api.ask("GET", path)).json();
    const answer = await setHa(body);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringContaining(message),
    });
    expect((await api.ask("GET", path)).json()).toEqual(before);
  });
});

test("is 409 on a service that is being deleted", async () => {
  const { path, setHa } = await service();
  await api.ask("DELETE", path);
  const answer = await setHa({ replica_count: 1 });
  expect(answer.statusCode).toBe(409);
  expect(answer.json()).toEqual({ code: "CONFLICT", message: "the service is being deleted" });
});

test("is taken in every other status, also when nothing changes", async () => {
  const statuses = ServiceStatus.anyOf.map((each) => each.const).filter((each) => !each.startsWith("DELET"));
  expect(statuses.length).toBe(9);
  const { service_id, setHa } = await service(1, 0);
  for (const status of statuses) {
    await store.db.updateTable("services").set({ status }).where("id", "=", service_id).execute();
    const answer = await setHa({ replica_count: 1 });
    expect([status, answer.statusCode]).toEqual([status, 202]);
    expect(answer.json()).toMatchObject({ status: "QUEUED" });
  }
});

test("is 409 where the region has no room, with what would fit, and changes nothing", async () => {
  await reportRegion(store.db, "small", { cpuMillis: 2_000, memoryBytes: 8 * GIB });
  await addPorts(store.db, "small", [60_000, 60_001]);
  const { service_id } = await api.create({ region_code: "small", cpu_millis: "1000" });
  const path = `${services}/${service_id}`;
  const answer = await api.ask("POST", `${path}/setHA`, { replica_count: 5 });
  expect(answer.statusCode).toBe(409);
  expect(answer.json()).toEqual({
    code: "NO_CAPACITY",
    message:
      "The region small has no room for 1000/4 with 5 replicas; " +
      "1000/4 with 3 replicas or 500/2 with 5 replicas would fit.",
    details:
      "One member can have at most 2000 millicores and 8 GiB, as the region's machine does. " +
      "16000 millicores and 16 GiB can still be promised.",
  });
  expect((await api.ask("GET", path)).json()).toMatchObject({ ha_replicas: { replica_count: 0 } });
  expect((await api.ask("POST", `${path}/setHA`, { replica_count: 3 })).statusCode).toBe(202);
});

test("changes merge: each of many at once is accepted, and the last one counts", async () => {
  const { path, service_id, setHa } = await service();
  const answers = await Promise.all([
    setHa({ replica_count: 1 }),
    api.ask("POST", `${path}/resize`, { cpu_millis: "1000" }),
    setHa({ replica_count: 1 }),
    api.ask("POST", `${path}/resize`, { cpu_millis: "1000" }),
  ]);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([202, 202, 202, 202]);
  expect((await api.ask("GET", path)).json()).toMatchObject({
    ha_replicas: { replica_count: 1 },
    resources: [{ spec: { cpu_millis: 1000, memory_gbs: 4 } }],
  });
  const { generation } = await store.db
    .selectFrom("services")
    .select("generation")
    .where("id", "=", service_id)
    .executeTakeFirstOrThrow();
  expect(generation).toBe(1 + 1 + 4);
});

test("leaves an event of who asked for what", async () => {
  const { path, setHa } = await service();
  await setHa({ replica_count: 2, sync_replica_count: 1 });
  const told: { events: unknown[] } = (await api.ask("GET", `${path}/events?limit=1`)).json();
  expect(told.events).toMatchObject([
    {
      type: "service.ha.accepted",
      actor: `key:${api.key.publicKey}`,
      message: "Replicas: 2, of which 1 synchronous, were accepted.",
    },
  ]);
});
