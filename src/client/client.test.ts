/** The client against the API itself: what it sends is accepted, and what it gets is understood. */
import { expect, test } from "vitest";
import { BASE, openTestApi } from "../../test/support/api.ts";
import { injectFetch } from "../../test/support/inject-fetch.ts";
import { STEP, startInstantReconciler } from "../../test/support/instant-reconciler.ts";
import { createClient, type Fetch } from "./index.ts";

const api = await openTestApi();
startInstantReconciler(api.store.db);
const fetch = injectFetch(api.app);
const options = {
  baseUrl: `http://api.test${BASE}/`,
  apiKey: api.key.apiKey,
  projectId: api.projectId,
  fetch,
};
const client = createClient(options);

const ready = async (name: string) => {
  const { service_id } = await client.createService({ name });
  await client.waitFor(service_id, "READY", { deadlineMs: 10_000 });
  return service_id;
};

test("it knows whose its key is", async () => {
  expect((await client.getAuthInfo()).api_key.project).toEqual({
    id: api.projectId,
    name: "tests",
    plan_type: expect.any(String),
  });
  expect(await client.listProjects()).toEqual([{ id: api.projectId, name: "tests" }]);
});

test("a service lives its whole life through it", async () => {
  const created = await client.createService({ name: "orders", addons: [], replica_count: 0 });
  const { service_id: id } = created;
  expect(created).toMatchObject({ status: "QUEUED", initial_password: expect.stringMatching(/^\w{32}$/) });
  const messages: string[] = [];
  const outcome = await client.waitFor(id, "READY", {
    deadlineMs: 10_000,
    onProgress: ({ events }) => messages.push(...events.map(({ message }) => message)),
  });
  expect(outcome).toMatchObject({ kind: "reached", service: { name: "orders" } });
  expect((await client.listServices()).map(({ service_id }) => service_id)).toContain(id);

  expect(await client.setHa(id, { replica_count: 2, sync_replica_count: 1 })).toMatchObject({
    ha_replicas: { replica_count: 2, sync_replica_count: 1 },
  });
  await client.waitFor(id, "READY", { deadlineMs: 10_000 });
  expect(await client.switchover(id)).toMatchObject({ service_id: id });
  expect(await client.resizeService(id, { memory_gbs: "4" })).toMatchObject({
    resources: [{ spec: { cpu_millis: 1_000 } }],
  });
  expect(await client.renameService(id, { name: "orders 2" })).toMatchObject({ name: "orders 2" });
  expect(await client.setEnvironment(id, { environment: "PROD" })).toHaveProperty("message");
  await client.waitFor(id, "READY", { deadlineMs: 10_000 });
  expect(await client.stopService(id)).toMatchObject({ status: "PAUSING" });
  expect(await client.waitFor(id, "PAUSED", { deadlineMs: 10_000 })).toMatchObject({ kind: "reached" });
  expect(await client.startService(id)).toMatchObject({ status: "RESUMING" });
  await client.waitFor(id, "READY", { deadlineMs: 10_000 });

  expect(await client.deleteService(id)).toMatchObject({ status: "DELETING" });
  expect(await client.waitFor(id, "GONE", { deadlineMs: 10_000 })).toEqual({
    kind: "reached",
    service: null,
  });
});

test("a fork comes with a password of its own", async () => {
  const id = await ready("parent");
  const fork = await client.forkService(id, { fork_strategy: "NOW" });
  expect(fork).toMatchObject({
    name: "parent-fork",
    forked_from: { service_id: id },
    initial_password: expect.any(String),
  });
});

test("everything else about a service can be asked and changed", async () => {
  const id = await ready("details");
  expect(await client.updatePassword(id, { password: "correct horse" })).toBeNull();
  expect(await client.enablePooler(id)).toHaveProperty("message");
  expect((await client.getService(id)).connection_pooler?.endpoint?.port).toBeGreaterThan(0);
  expect(await client.disablePooler(id)).toHaveProperty("message");
  expect(await client.setAllowList(id, { cidrs: ["192.0.2.1"] })).toEqual({ cidrs: ["192.0.2.1/32"] });
  expect(await client.getAllowList(id)).toEqual({ cidrs: ["192.0.2.1/32"] });
  expect(await client.setDeletionProtection(id, { deletion_protection: true })).toEqual({
    deletion_protection: true,
  });
  expect(await client.getDeletionProtection(id)).toEqual({ deletion_protection: true });
  await expect(client.deleteService(id)).rejects.toMatchObject({ code: "DELETION_PROTECTED", status: 409 });
  const changed = await client.changeParameters(id, { parameters: { work_mem: "8MB" } });
  expect(changed.parameters.find(({ name }) => name === "work_mem")?.wanted_value).toBe("8MB");
  expect((await client.listParameters(id)).parameters.length).toBe(changed.parameters.length);
});

test("events are told newest first, a page at a time", async () => {
  const id = await ready("told");
  const newest = await client.getServiceEvents(id, { limit: 1 });
  expect(newest).toMatchObject({ status: "READY", events: [{ message: STEP }] });
  const older = await client.getServiceEvents(id, { before: newest.events[0]?.id ?? "" });
  expect(older.events.map(({ type }) => type)).toContain("service.create.accepted");
});

test("a create whose answer was lost is sent again, and makes one service", async () => {
  let lost = 0;
  const losing: Fetch = async (url, init) => {
    const answer = await fetch(url, init);
    if (init.method === "POST" && (lost += 1) === 1) throw new TypeError("fetch failed");
    return answer;
  };
  const created = await createClient({ ...options, fetch: losing }).createService({ name: "only one" });
  expect(lost).toBe(2);
  const same = (await client.listServices()).filter(({ name }) => name === "only one");
  expect(same).toMatchObject([{ service_id: created.service_id }]);
  expect(created.initial_password).toBeDefined();
});

test("two creates are two services, unless they have the same key", async () => {
  const [one, other] = [
    await client.createService({ name: "twin" }),
    await client.createService({ name: "twin" }),
  ];
  expect(one.service_id).not.toBe(other.service_id);
  const key = { idempotencyKey: "the same" };
  const first = await client.createService({ name: "keyed" }, key);
  expect(await client.createService({ name: "keyed" }, key)).toEqual(first);
});

test("an id that would lead elsewhere in the path is just an id that does not exist", async () => {
  await expect(client.getService("../../auth/info")).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("a key that is not known is told as such", async () => {
  const stranger = createClient({ ...options, apiKey: "howdah_unknown_unknown" });
  await expect(stranger.listServices()).rejects.toMatchObject({ code: "UNAUTHORIZED", status: 401 });
});
