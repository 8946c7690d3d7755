/** What can be created where. */
import { expect, test } from "vitest";
import { BASE, openTestApi } from "../../../test/support/api.ts";
import { strictErrors } from "../../../test/support/strict.ts";
import { type Region, Regions } from "../../contract/regions.ts";
import { parseSizes } from "../../contract/size.ts";
import { addPorts, reportRegion } from "../../store/regions.ts";

const GIB = 1024 ** 3;
const api = await openTestApi({
  sizes: parseSizes("1000/4,500/2,128000/256"),
  cpuOvercommit: 2,
  memoryOvercommit: 1,
});

async function regions(): Promise<readonly Region[]> {
  const answer = await api.ask("GET", `${BASE}/projects/${api.projectId}/regions`);
  expect(answer.statusCode).toBe(200);
  expect(strictErrors(Regions, answer.json())).toEqual([]);
  return answer.json();
}

test("the sizes on offer are told, with what each gives and how many of it still fit", async () => {
  const [region] = await regions();
  expect(region).toMatchObject({
    code: api.regionCode,
    available: true,
    capacity: { cpu_millis: 64_000, memory_gbs: 256 },
    free: { cpu_millis: 128_000, memory_gbs: 256 },
    default_size: { cpu_millis: 500, memory_gbs: 2 },
    most_replicas: 8,
    shared: { memory_gbs: 1, members_left: 256, settings: { shared_buffers: "256MB" } },
  });
  expect(region?.sizes).toMatchObject([
    {
      cpu_millis: 500,
      memory_gbs: 2,
      members_left: 128,
      settings: { max_connections: "100", shared_buffers: "512MB", work_mem: "4MB" },
    },
    { cpu_millis: 1000, memory_gbs: 4, members_left: 64, settings: { shared_buffers: "1GB" } },
    { cpu_millis: 128_000, memory_gbs: 256, members_left: 0 },
  ]);
});

test("what is left is what a create takes, and no more", async () => {
  const code = "small-1";
  await reportRegion(api.store.db, code, { cpuMillis: 2_000, memoryBytes: 5 * GIB });
  await addPorts(api.store.db, code, [30_000, 30_001, 30_002, 30_003]);
  const create = (replica_count: number) =>
    api.ask("POST", api.services, { name: "a", region_code: code, replica_count });
  expect((await create(2)).statusCode).toBe(409);
  expect((await create(1)).statusCode).toBe(202);
  const small = (await regions()).find((region) => region.code === code);
  expect(small).toMatchObject({ available: true, free: { cpu_millis: 3_000, memory_gbs: 1 } });
  expect(small?.sizes.map(({ members_left }) => members_left)).toEqual([0, 0, 0]);
  expect(small?.shared.members_left).toBe(1);
  // The one with the most room comes first: that is where a create without a region goes.
  expect((await regions()).map((region) => region.code)).toEqual([api.regionCode, code]);
});

test("a full region is not available", async () => {
  await reportRegion(api.store.db, "full-1", { cpuMillis: 100, memoryBytes: GIB / 2 });
  expect((await regions()).find(({ code }) => code === "full-1")).toMatchObject({ available: false });
});
