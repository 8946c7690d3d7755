import { describe, expect, test } from "vitest";
import { openTestApi } from "../../../test/support/api.ts";
import { strictErrors } from "../../../test/support/strict.ts";
import { verifies } from "../../../test/support/verifies.ts";
import type { ErrorBody } from "../../contract/errors.ts";
import { Service } from "../../contract/service.ts";
import { createKey } from "../../store/keys.ts";
import { createProject } from "../../store/projects.ts";
import { createReconcileQueue } from "../../store/reconcile-queue.ts";
import { addPorts, portStock, reportRegion } from "../../store/regions.ts";

const api = await openTestApi();
const { store, encryption, services, regionCode } = api;
const GIB = 1024 ** 3;

const post = (body: unknown, idempotencyKey?: string, apiKey = api.key.apiKey, url = services) =>
  api.app.inject({
    method: "POST",
    url,
    headers: {
      authorization: `Bearer ${apiKey}`,
      "content-type": "application/json",
      ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
    },
    payload: JSON.stringify(body),
  });

describe("202", () => {
  test("with the whole record, QUEUED, with endpoint and password, for a name alone", async () => {
    const answer = await post({ name: "orders" });
    expect(answer.statusCode).toBe(202);
    const record: Service = answer.json();
    expect(strictErrors(Service, record)).toEqual([]);
    expect(record).toEqual({
      service_id: expect.stringMatching(/^[a-z0-9]{10}$/),
      project_id: api.projectId,
      name: "orders",
      region_code: regionCode,
      service_type: "TIMESERIESDB",
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      status: "QUEUED",
      resources: [{ id: record.service_id, spec: { cpu_millis: 500, memory_gbs: 2, volume_type: "local" } }],
      endpoint: { host: "db.example.test", port: expect.any(Number) },
      initial_password: expect.stringMatching(/^[A-Za-z0-9]{24,}$/),
      ha_replicas: { replica_count: 0, sync_replica_count: 0 },
      metadata: { environment: "DEV" },
      read_replica_sets: [],
    });
  });

  test("with everything that can be said", async () => {
    const answer = await post({
      name: "Größe 🐘",
      addons: ["ai", "ai"],
      cpu_millis: "2000",
      memory_gbs: "8",
      environment_tag: "PROD",
      region_code: regionCode,
      replica_count: 2,
    });
    expect(answer.json()).toMatchObject({
      name: "Größe 🐘",
      service_type: "VECTOR",
      resources: [{ spec: { cpu_millis: 2000, memory_gbs: 8 } }],
      ha_replicas: { replica_count: 2, sync_replica_count: 0 },
      metadata: { environment: "PROD" },
    });
  });

  test.each([
    [{ cpu_millis: "1000" }, { cpu_millis: 1000, memory_gbs: 4 }],
    [{ memory_gbs: "16" }, { cpu_millis: 4000, memory_gbs: 16 }],
    [{ cpu_millis: "shared" }, {}],
    [{ cpu_millis: "shared", memory_gbs: "shared" }, {}],
  ])("with the size that %j means", async (size, spec) => {
    const record = await api.create(size);
    expect(record["resources"]).toEqual([{ id: record.service_id, spec: { ...spec, volume_type: "local" } }]);
  });

  test.each([
    [undefined, "TIMESERIESDB"],
    [["time-series", "ai"], "TIMESERIESDB"],
    [["ai"], "VECTOR"],
    [[], "POSTGRES"],
  ])("with the type that the add-ons %j make", async (addons, type) => {
    expect(await api.create(addons ? { addons } : {})).toMatchObject({ service_type: type });
  });

  test.each(["x", "n".repeat(128), "🐘".repeat(128), "new\nline", " "])(
    "for the name %.10j",
    async (name) => {
      expect(await api.create({ name })).toMatchObject({ name });
    },
  );

  test("makes the service due with a verifier of the very password in the answer", async () => {
    await store.db.deleteFrom("services").execute();
    const record = await api.create();
    const queue = createReconcileQueue(store.db, encryption, "test", 60_000);
    const [due] = await queue.claimDue(1);
    expect(due?.serviceId).toBe(record.service_id);
    expect(record["endpoint"]).toEqual({ host: "db.example.test", port: due?.identity.port });
    expect(verifies(String(record["initial_password"]), due?.identity.secrets.adminVerifier ?? "")).toBe(
      true,
    );
    const { adminVerifier: _, parent, ...passwords } = due?.identity.secrets ?? {};
    expect(parent).toBeNull();
    expect(new Set(Object.values(passwords)).size).toBe(6);
    for (const password of Object.values(passwords)) expect(password).toMatch(/^[A-Za-z0-9]{24,}$/);
  });

  test("leaves an event of who asked for what", async () => {
    const { service_id } = await api.create({ name: "told", replica_count: 1 });
    const { events } = (await api.ask("GET", `${services}/${service_id}/events`)).json();
    expect(events).toMatchObject([
      {
        type: "service.create.accepted",
        actor: `key:${api.key.publicKey}`,
        message: "told was accepted: 0.5 CPU and 2 GB, 1 replica.",
      },
    ]);
  });
});

describe("400", () => {
  test.each([
    ["name is required", {}],
    ["name must be", { name: "" }],
    ["1 to 128 characters", { name: "n".repeat(129) }],
    ["1 to 128 characters", { name: "🐘".repeat(129) }],
    ["name must be", { name: "nul\u0000" }],
    ["name must be", { name: "half \ud83d" }],
    ["name must be a string", { name: 7 }],
    ["name must be a string", { name: null }],
    ["addons[0] must be one of time-series, ai", { name: "a", addons: ["timescale"] }],
    ["addons must be an array", { name: "a", addons: "ai" }],
    ["at most 8", { name: "a", addons: Array.from({ length: 9 }, () => "ai") }],
    ["cpu_millis must be a string", { name: "a", cpu_millis: 500 }],
    ["cpu_millis must be a string: Millicores, in digits", { name: "a", cpu_millis: "0.5" }],
    ["cpu_millis must be", { name: "a", cpu_millis: "-500" }],
    ["cpu_millis must be", { name: "a", cpu_millis: "9".repeat(5_000) }],
    ["500/2, 1000/4, 2000/8, 4000/16, 8000/32, 16000/64, 32000/128", { name: "a", cpu_millis: "777" }],
    ["not a size on offer", { name: "a", cpu_millis: "500", memory_gbs: "4" }],
    ["not a size on offer", { name: "a", cpu_millis: "shared", memory_gbs: "2" }],
    ["environment_tag must be one of DEV, PROD", { name: "a", environment_tag: "TEST" }],
    [`region_code must be one of test-1`, { name: "a", region_code: "mars" }],
    ["region_code must be one of test-1", { name: "a", region_code: "mars\u0000" }],
    ["replica_count must be a whole number from 0 to 8", { name: "a", replica_count: -1 }],
    ["replica_count must be a whole number from 0 to 8", { name: "a", replica_count: 1.5 }],
    ["replica_count must be a whole number from 0 to 8", { name: "a", replica_count: 9 }],
    ["replica_count must be a whole number from 0 to 8", { name: "a", replica_count: 1e300 }],
    ["replica_count must be a whole number from 0 to 8", { name: "a", replica_count: "1" }],
    ["replica_count must be a whole number from 0 to 8", { name: "a", replica_count: null }],
    ['unknown field "sync_replica_count"', { name: "a", sync_replica_count: 1 }],
  ])("that says: %s", async (message, body) => {
    const answer = await post(body);
    expect(answer.statusCode).toBe(400);
    expect(answer.json<ErrorBody>()).toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringContaining(message),
    });
  });

  test("for a number too large for any", async () => {
    const answer = await api.app.inject({
      method: "POST",
      url: services,
      headers: { authorization: `Bearer ${api.key.apiKey}`, "content-type": "application/json" },
      payload: '{"name":"a","replica_count":1e999}',
    });
    expect(answer.statusCode).toBe(400);
  });

  test("names all that is wrong at once", async () => {
    const { message } = (await post({ name: "", replica_count: -1, cpu_millis: 1 })).json<ErrorBody>();
    expect(message).toMatch(/name.*; .*cpu_millis.*; .*replica_count/);
  });
});

describe("an idempotency key", () => {
  test("gives the same answer again, the password too, and creates nothing", async () => {
    const before = await countServices();
    const body = { name: "orders", replica_count: 1 };
    const first = await post(body, "once");
    const second = await post({ replica_count: 1, name: "orders" }, "once");
    expect([second.statusCode, second.body]).toEqual([202, first.body]);
    expect(await countServices()).toBe(before + 1);
  });

  test("gives one service to many who ask at once", async () => {
    const before = await countServices();
    const answers = await Promise.all(Array.from({ length: 12 }, () => post({ name: "raced" }, "race")));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([202]));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect(await countServices()).toBe(before + 1);
  });

  test("with another body is 422", async () => {
    await post({ name: "one" }, "reused");
    const answer = await post({ name: "two" }, "reused");
    expect([answer.statusCode, answer.json<ErrorBody>().code]).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
  });

  test("of another project is another", async () => {
    const other = await createProject(store.db, "other");
    const theirs = await createKey(store.db, { projectId: other.id, name: "theirs", role: "admin" });
    const mine = await post({ name: "same" }, "both");
    const answer = await post(
      { name: "same" },
      "both",
      theirs.apiKey,
      services.replace(api.projectId, other.id),
    );
    expect(answer.statusCode).toBe(202);
    expect(answer.json<Service>().service_id).not.toBe(mine.json<Service>().service_id);
  });

  test("is kept for 24 hours by the database's clock, and forgotten then", async () => {
    const first = await post({ name: "kept" }, "a day");
    await age("a day", "23 hours 59 minutes");
    expect((await post({ name: "kept" }, "a day")).body).toBe(first.body);
    await age("a day", "24 hours");
    const later = await post({ name: "another" }, "a day");
    expect(later.statusCode).toBe(202);
    expect(later.json<Service>().service_id).not.toBe(first.json<Service>().service_id);
  });

  test("that is over goes away when others come", async () => {
    await post({ name: "over" }, "over");
    await age("over", "25 hours");
    await post({ name: "new" }, "newer");
    const rows = await store.db
      .selectFrom("idempotency_keys")
      .select("key")
      .where("key", "=", "over")
      .execute();
    expect(rows).toEqual([]);
  });

  test("stores nothing when the request is refused, so that it can be repeated", async () => {
    expect((await post({ name: "a", region_code: "later" }, "refused")).statusCode).toBe(400);
    await reportRegion(store.db, "later", { cpuMillis: 4_000, memoryBytes: 8 * GIB });
    expect((await post({ name: "a", region_code: "later" }, "refused")).statusCode).toBe(409);
    await addPorts(store.db, "later", [50_000, 50_001]);
    expect((await post({ name: "a", region_code: "later" }, "refused")).statusCode).toBe(202);
    await store.db.deleteFrom("services").where("region_code", "=", "later").execute();
    await store.db.deleteFrom("ports").where("region_code", "=", "later").execute();
    await store.db.deleteFrom("regions").where("code", "=", "later").execute();
  });

  test("keeps the password encrypted", async () => {
    const { initial_password } = (await post({ name: "hidden" }, "hidden")).json<Service>();
    const dump = JSON.stringify(
      (await store.db.selectFrom("idempotency_keys").selectAll().execute()).map(({ response }) =>
        response?.toString("latin1"),
      ),
    );
    expect(dump).not.toContain(initial_password);
    expect(dump).not.toContain("service_id");
  });

  test.each([
    ["that is empty", ""],
    ["of 256 characters", "k".repeat(256)],
  ])("%s is 400", async (_, key) => {
    const answer = await post({ name: "a" }, key);
    expect(answer.statusCode).toBe(400);
    expect(answer.json<ErrorBody>().message).toContain("idempotency-key");
  });

  test("of 255 characters is taken", async () => {
    expect((await post({ name: "a" }, "k".repeat(255))).statusCode).toBe(202);
  });
});

describe("409", () => {
  test("where no port is free, and nothing is created", async () => {
    await reportRegion(store.db, "no-ports", { cpuMillis: 4_000, memoryBytes: 64 * GIB });
    const answer = await post({ name: "a", region_code: "no-ports" });
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject({
      code: "NO_CAPACITY",
      message: "no endpoint port is free in the region no-ports",
      details: expect.any(String),
    });
  });

  test("where the machine is smaller than one member", async () => {
    await reportRegion(store.db, "tiny", { cpuMillis: 2_000, memoryBytes: 8 * GIB });
    await addPorts(store.db, "tiny", [60_000, 60_001]);
    const answer = await post({ name: "a", region_code: "tiny", cpu_millis: "4000" });
    expect(answer.statusCode).toBe(409);
    expect(answer.json<ErrorBody>().message).toBe(
      "The region tiny has no room for 4000/16 with 0 replicas; 2000/8 with 0 replicas would fit.",
    );
    expect(await portStock(store.db, "tiny")).toBe(2);
  });
});

async function countServices(): Promise<number> {
  const rows = await store.db.selectFrom("services").select("id").execute();
  return rows.length;
}

/** As if the key had come so long ago. */
async function age(key: string, interval: string): Promise<void> {
  await store.pool.query("update idempotency_keys set created_at = now() - $1::interval where key = $2", [
    interval,
    key,
  ]);
}
