import { describe, expect, test } from "vitest";
import { openTestApi } from "../../../test/support/api.ts";
import { strictErrors } from "../../../test/support/strict.ts";
import { Service } from "../../contract/service.ts";
import { parseSizes } from "../../contract/size.ts";
import { addPorts, reportRegion } from "../../store/regions.ts";

const api = await openTestApi({ sizes: parseSizes("500/2,1000/4,1000/8,2000/8") });
const { store, services } = api;
const GIB = 1024 ** 3;

async function service(body: Record<string, unknown> = {}) {
  const { service_id } = await api.create(body);
  const path = `${services}/${service_id}`;
  return { path, resize: (size: unknown) => api.ask("POST", `${path}/resize`, size) };
}

test("answers 202 with the record of the size that was asked for, QUEUED, without a password", async () => {
  const { path, resize } = await service();
  const answer = await resize({ cpu_millis: "1000", memory_gbs: "4" });
  expect(answer.statusCode).toBe(202);
  const record: Service = answer.json();
  expect(strictErrors(Service, record)).toEqual([]);
  expect(record).toMatchObject({
    status: "QUEUED",
    resources: [{ spec: { cpu_millis: 1000, memory_gbs: 4, volume_type: "local" } }],
  });
  expect(record).not.toHaveProperty("initial_password");
  expect((await api.ask("GET", path)).json()).toEqual(record);
});

test.each([
  [{ cpu_millis: "2000" }, { cpu_millis: 2000, memory_gbs: 8 }],
  [{ memory_gbs: "4" }, { cpu_millis: 1000, memory_gbs: 4 }],
  [{ cpu_millis: "1000" }, { cpu_millis: 1000, memory_gbs: 4 }],
  [
    { cpu_millis: "1000", memory_gbs: "8" },
    { cpu_millis: 1000, memory_gbs: 8 },
  ],
])("%j means %j", async (asked, spec) => {
  const { resize } = await service();
  expect((await resize(asked)).json()).toMatchObject({ resources: [{ spec }] });
});

test("a shared service can become a dedicated one", async () => {
  const { resize } = await service({ cpu_millis: "shared" });
  expect((await resize({ cpu_millis: "500" })).json()).toMatchObject({
    resources: [{ spec: { cpu_millis: 500, memory_gbs: 2 } }],
  });
});

describe("400", () => {
  test.each([
    ["the body must have at least one of cpu_millis, memory_gbs", {}],
    ["cpu_millis must be a string: Millicores, in digits", { cpu_millis: 1000 }],
    ["memory_gbs must be a string: Gigabytes, in digits", { memory_gbs: 4 }],
    ["cpu_millis must be a string: Millicores, in digits", { cpu_millis: "shared" }],
    ["cpu_millis must be a string: Millicores, in digits", { cpu_millis: "1000.0" }],
    ["cpu_millis must be a string: Millicores, in digits", { cpu_millis: "" }],
    ["choose cpu_millis/memory_gbs from: 500/2, 1000/4, 1000/8, 2000/8", { cpu_millis: "3000" }],
    [
      "choose cpu_millis/memory_gbs from: 500/2, 1000/4, 1000/8, 2000/8",
      { cpu_millis: "500", memory_gbs: "8" },
    ],
    ["choose cpu_millis/memory_gbs from", { cpu_millis: "0500" }],
    ['unknown field "size"', { cpu_millis: "500", size: "large" }],
  ])("that says: %s", async (message, body) => {
    const { path, resize } = await service();
    const before = (await api.ask("GET", path)).json();
    const answer = await resize(body);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringContaining(message),
    });
    expect((await api.ask("GET", path)).json()).toEqual(before);
  });
});

test("is 409 on a service that is being deleted", async () => {
  const { path, resize } = await service();
  await api.ask("DELETE", path);
  const answer = await resize({ cpu_millis: "1000" });
  expect([answer.statusCode, answer.json()]).toEqual([
    409,
    { code: "CONFLICT", message: "the service is being deleted" },
  ]);
});

test("is 409 where the region has no room, with what would fit; smaller always fits", async () => {
  await reportRegion(store.db, "small", { cpuMillis: 1_000, memoryBytes: 8 * GIB });
  await addPorts(store.db, "small", [60_000, 60_001]);
  const { path, resize } = await service({ region_code: "small", cpu_millis: "1000" });
  const answer = await resize({ cpu_millis: "2000" });
  expect(answer.statusCode).toBe(409);
  expect(answer.json()).toMatchObject({
    code: "NO_CAPACITY",
    message: "The region small has no room for 2000/8 with 0 replicas; 1000/8 with 0 replicas would fit.",
  });

  await reportRegion(store.db, "small", { cpuMillis: 1, memoryBytes: 1 });
  expect((await resize({ cpu_millis: "500" })).statusCode).toBe(202);
  expect((await api.ask("GET", path)).json()).toMatchObject({ resources: [{ spec: { cpu_millis: 500 } }] });
});
