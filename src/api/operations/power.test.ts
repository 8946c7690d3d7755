/** Stopping a service and starting it again, as far as the API decides it. */
import { describe, expect, test } from "vitest";
import { openTestApi } from "../../../test/support/api.ts";
import { pass, readyService } from "../../../test/support/ready.ts";
import { strictErrors } from "../../../test/support/strict.ts";
import { Service } from "../../contract/service.ts";
import { listEvents } from "../../store/events.ts";
import { createReconcileQueue } from "../../store/reconcile-queue.ts";

const api = await openTestApi();

describe("a stop", () => {
  test("answers 202 and PAUSING, keeps endpoint, size and replicas, and is told to the reconciler", async () => {
    const { id, path } = await readyService(api, { replica_count: 2 });
    const before: Service = (await api.ask("GET", path)).json();
    const answer = await api.ask("POST", `${path}/stop`);
    expect(answer.statusCode).toBe(202);
    expect(strictErrors(Service, answer.json())).toEqual([]);
    expect(answer.json()).toEqual({ ...before, status: "PAUSING" });
    const due = await createReconcileQueue(api.store.db, api.encryption, "test", 60_000).claimDue(100);
    expect(due.find(({ serviceId }) => serviceId === id)).toMatchObject({
      power: "stopped",
      settledPower: "running",
    });
  });

  test("of what is stopped or stopping already is 400, and changes nothing", async () => {
    const { id, path } = await readyService(api);
    await api.ask("POST", `${path}/stop`);
    const events = await listEvents(api.store.db, id, { limit: 100 });
    const answer = await api.ask("POST", `${path}/stop`, {});
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({ code: "INVALID_REQUEST", message: "the service is stopped already" });
    expect(await listEvents(api.store.db, id, { limit: 100 })).toEqual(events);
  });

  test("before the service was ever ready is 409", async () => {
    const { service_id } = await api.create();
    const answer = await api.ask("POST", `${api.services}/${service_id}/stop`);
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject({
      code: "CONFLICT",
      message: expect.stringContaining("still being created"),
    });
  });
});

describe("a start", () => {
  test("of a paused service answers 202 and RESUMING", async () => {
    const { id, path } = await readyService(api);
    await api.ask("POST", `${path}/stop`);
    await pass(api, id, { status: "PAUSED" });
    expect((await api.ask("GET", path)).json()).toMatchObject({ status: "PAUSED" });
    const answer = await api.ask("POST", `${path}/start`);
    expect(answer.statusCode).toBe(202);
    expect(answer.json()).toMatchObject({ status: "RESUMING" });
  });

  test("of one that is only stopping yet is accepted as well", async () => {
    const { path } = await readyService(api);
    await api.ask("POST", `${path}/stop`);
    expect((await api.ask("POST", `${path}/start`)).statusCode).toBe(202);
  });

  test("of what runs is 400", async () => {
    const { path } = await readyService(api);
    const answer = await api.ask("POST", `${path}/start`);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({ code: "INVALID_REQUEST", message: "the service runs already" });
  });
});

test("what is changed while a service is stopped is kept, and it stays stopped", async () => {
  const { id, path } = await readyService(api);
  await api.ask("POST", `${path}/stop`);
  await pass(api, id, { status: "PAUSED" });
  expect((await api.ask("POST", `${path}/resize`, { memory_gbs: "4" })).json()).toMatchObject({
    status: "QUEUED",
  });
  expect((await api.ask("POST", `${path}/setHA`, { replica_count: 1 })).statusCode).toBe(202);
  const due = await createReconcileQueue(api.store.db, api.encryption, "test", 60_000).claimDue(100);
  expect(due.find(({ serviceId }) => serviceId === id)).toMatchObject({
    power: "stopped",
    settledPower: "stopped",
    replicaCount: 1,
    size: { memoryGbs: 4 },
  });
});

test.each(["stop", "start"])(
  "a %s of a service that is being deleted is 409, of one that is not there 404",
  async (word) => {
    const { path } = await readyService(api);
    await api.ask("DELETE", path);
    expect((await api.ask("POST", `${path}/${word}`)).statusCode).toBe(409);
    expect((await api.ask("POST", `${api.services}/nonesuch00/${word}`)).statusCode).toBe(404);
  },
);

test.each(["stop", "start"])("a key that may only read cannot %s", async (word) => {
  const { path } = await readyService(api);
  const reader = await api.newKey("read_only");
  expect((await api.ask("POST", `${path}/${word}`, undefined, reader.apiKey)).statusCode).toBe(403);
});
