import { describe, expect, test } from "vitest";
import { openTestApi, type TestApi } from "../../../test/support/api.ts";
import { pass, readyService } from "../../../test/support/ready.ts";
import { strictErrors } from "../../../test/support/strict.ts";
import { Service } from "../../contract/service.ts";
import { createReconcileQueue } from "../../store/reconcile-queue.ts";

const api = await openTestApi();

const fork = (path: string, body: Record<string, unknown> = {}) =>
  api.ask("POST", `${path}/forkService`, { fork_strategy: "NOW", ...body });

describe("a fork", () => {
  test("is a new service with an endpoint and a password of its own, and says where it comes from", async () => {
    const { id, path } = await readyService(api, {
      name: "orders",
      addons: ["ai"],
      memory_gbs: "4",
      replica_count: 2,
    });
    const answer = await fork(path);
    expect(answer.statusCode).toBe(202);
    expect(strictErrors(Service, answer.json())).toEqual([]);
    const parent: Service = (await api.ask("GET", path)).json();
    const record: Service = answer.json();
    expect(record).toMatchObject({
      name: "orders-fork",
      status: "QUEUED",
      service_type: "VECTOR",
      region_code: parent.region_code,
      forked_from: { project_id: api.projectId, service_id: id, is_standby: false },
      ha_replicas: { replica_count: 0, sync_replica_count: 0 },
      resources: [{ spec: { cpu_millis: 1000, memory_gbs: 4 } }],
      metadata: { environment: "DEV" },
      initial_password: expect.stringMatching(/^\w{24,}$/),
    });
    expect(record.service_id).not.toBe(id);
    expect(record.endpoint?.port).not.toBe(parent.endpoint?.port);
  });

  test("takes a name, a size and an environment of its own", async () => {
    const { path } = await readyService(api);
    const record = (
      await fork(path, { name: "trial", cpu_millis: "shared", environment_tag: "PROD" })
    ).json();
    expect(record).toMatchObject({ name: "trial", metadata: { environment: "PROD" } });
    expect(record.resources[0].spec).toEqual({ volume_type: "local" });
  });

  test("reaches its parent's data with the parent's secret, and shares no other", async () => {
    const { id, path } = await readyService(api);
    const { service_id } = (await fork(path)).json();
    const [parent, child] = await claimed([id, service_id]);
    expect(child?.forkedFrom).toBe(id);
    expect(child?.identity.secrets.parent).toEqual({
      serviceId: id,
      replicationPassword: parent?.identity.secrets.replicationPassword,
    });
    const { parent: _, ...own } = child?.identity.secrets ?? {};
    const ofParent = new Set(Object.values(parent?.identity.secrets ?? {}));
    expect(Object.values(own).filter((secret) => ofParent.has(secret))).toEqual([]);
  });

  test("has its parent's allow-list, and neither its pooler nor its protection", async () => {
    const { path } = await readyService(api);
    const { id, path: other } = await readyService(api);
    await api.store.db
      .updateTable("services")
      .set({ allow_list: ["192.0.2.0/24"], pooler: true, deletion_protection: true })
      .where("id", "=", id)
      .execute();
    const { service_id } = (await fork(other)).json();
    const below = `${api.services}/${service_id}`;
    expect((await api.ask("GET", `${below}/allowList`)).json()).toEqual({ cidrs: ["192.0.2.0/24"] });
    expect((await api.ask("GET", `${below}/deletionProtection`)).json()).toEqual({
      deletion_protection: false,
    });
    expect((await api.ask("GET", below)).json()).not.toHaveProperty("connection_pooler");
    expect((await api.ask("GET", path)).json()).not.toHaveProperty("forked_from");
  });

  test("of a parent with the longest name has a name that fits", async () => {
    const { path } = await readyService(api, { name: "ü".repeat(128) });
    expect((await fork(path)).json().name).toBe(`${"ü".repeat(123)}-fork`);
  });

  test("with the same Idempotency-Key is made once", async () => {
    const { path } = await readyService(api);
    const ask = (below: string) =>
      api.app.inject({
        method: "POST",
        url: `${below}/forkService`,
        headers: { authorization: `Bearer ${api.key.apiKey}`, "idempotency-key": "fork-1" },
        payload: { fork_strategy: "NOW" },
      });
    const first = await ask(path);
    expect((await ask(path)).body).toBe(first.body);
    const { path: other } = await readyService(api);
    expect((await ask(other)).statusCode).toBe(422);
  });
});

describe("a strategy", () => {
  test.each(["LAST_SNAPSHOT", "PITR"])("%s is told to be missing, as backups are", async (strategy) => {
    const { path } = await readyService(api);
    const time = strategy === "PITR" ? { target_time: "2026-11-20T10:00:00Z" } : {};
    const answer = await fork(path, { fork_strategy: strategy, ...time });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      code: "NOT_AVAILABLE",
      message: expect.stringContaining("backups"),
    });
  });

  test.each([
    [{ fork_strategy: "PITR" }, "target_time is required"],
    [
      { fork_strategy: "NOW", target_time: "2026-11-20T10:00:00Z" },
      "target_time goes with the strategy PITR alone",
    ],
    [{ fork_strategy: "PITR", target_time: "yesterday" }, "target_time"],
    [{ fork_strategy: "SOON" }, "fork_strategy must be one of NOW, LAST_SNAPSHOT, PITR"],
    [{}, "fork_strategy is required"],
    [{ fork_strategy: "NOW", memory_gbs: "3" }, "is not a size on offer"],
    [{ fork_strategy: "NOW", replica_count: 1 }, "unknown field"],
  ])("%j is refused by name", async (body, message) => {
    const { path } = await readyService(api);
    const answer = await api.ask("POST", `${path}/forkService`, body);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringContaining(message),
    });
  });
});

describe("a parent", () => {
  test("that was never ready, is stopped or is being deleted cannot be forked", async () => {
    const { service_id: young } = await api.create();
    const { path: stopped } = await readyService(api);
    await api.ask("POST", `${stopped}/stop`);
    const { path: going } = await readyService(api);
    await api.ask("DELETE", going);
    for (const path of [`${api.services}/${young}`, stopped, going]) {
      const answer = await fork(path);
      expect([answer.statusCode, answer.json().code]).toEqual([409, "CONFLICT"]);
    }
    expect((await fork(`${api.services}/nonesuch00`)).statusCode).toBe(404);
  });

  test("is not deleted while a fork still copies it, and is once the fork has its data", async () => {
    const { path } = await readyService(api);
    const { service_id } = (await fork(path)).json();
    const refused = await api.ask("DELETE", path);
    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toMatchObject({ code: "CONFLICT", message: expect.stringContaining(service_id) });
    await pass(api, service_id);
    expect((await api.ask("DELETE", path)).statusCode).toBe(202);
    expect((await api.ask("GET", `${api.services}/${service_id}`)).json()).toMatchObject({ status: "READY" });
  });
});

test("a key that may only read cannot fork", async () => {
  const { path } = await readyService(api);
  const reader = await api.newKey("read_only");
  expect(
    (await api.ask("POST", `${path}/forkService`, { fork_strategy: "NOW" }, reader.apiKey)).statusCode,
  ).toBe(403);
});

async function claimed(ids: readonly string[]) {
  const { store, encryption }: TestApi = api;
  const queue = createReconcileQueue(store.db, encryption, "test", 60_000);
  for (const id of ids) await queue.makeDue(id);
  const due = await queue.claimDue(1_000);
  await store.db.updateTable("services").set({ lease_holder: null, lease_expires_at: null }).execute();
  return ids.map((id) => due.find(({ serviceId }) => serviceId === id));
}
