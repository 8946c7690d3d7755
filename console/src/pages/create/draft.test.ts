import { describe, expect, test } from "vitest";
import type { RegionRecord } from "../../../../src/client/index.ts";
import {
  commandLine,
  createBody,
  type Draft,
  mostReplicas,
  regionOf,
  sizesOf,
  typeOf,
  usualSize,
} from "./draft.ts";

const settings = {
  max_connections: "100",
  shared_buffers: "512MB",
  effective_cache_size: "1536MB",
  work_mem: "4MB",
  maintenance_work_mem: "256MB",
  max_parallel_workers: "2",
};

function region(left: readonly [shared: number, small: number, large: number], code = "local"): RegionRecord {
  return {
    code,
    available: left.some((count) => count > 0),
    capacity: { cpu_millis: 2000, memory_gbs: 16 },
    free: { cpu_millis: 2000, memory_gbs: 16 },
    shared: { memory_gbs: 1, members_left: left[0], settings },
    sizes: [
      { cpu_millis: 500, memory_gbs: 2, members_left: left[1], settings },
      { cpu_millis: 1000, memory_gbs: 4, members_left: left[2], settings },
    ],
    default_size: { cpu_millis: 500, memory_gbs: 2 },
    most_replicas: 8,
  };
}

const DRAFT: Draft = {
  name: "orders",
  addons: ["time-series"],
  region: null,
  size: "500/2",
  replicas: 0,
  synchronous: 0,
  environment: "DEV",
};

test("what is sent names everything that was chosen", () => {
  expect(createBody(DRAFT)).toEqual({
    name: "orders",
    addons: ["time-series"],
    cpu_millis: "500",
    memory_gbs: "2",
    environment_tag: "DEV",
  });
  expect(
    createBody({ ...DRAFT, addons: [], size: "shared", region: "north", replicas: 2, synchronous: 1 }),
  ).toEqual({
    name: "orders",
    addons: [],
    cpu_millis: "shared",
    memory_gbs: "shared",
    environment_tag: "DEV",
    region_code: "north",
    replica_count: 2,
  });
});

test("the command line does the same", () => {
  expect(commandLine(DRAFT)).toBe(
    "howdah service create orders --addons time-series --cpu 500 --memory 2 --environment DEV",
  );
  expect(
    commandLine({ ...DRAFT, name: "it's", addons: [], size: "shared", replicas: 2, synchronous: 1 }),
  ).toBe(
    "howdah service create 'it'\\''s' --addons none --cpu shared --replicas 2 --environment DEV\n" +
      "howdah service ha 'it'\\''s' --sync 1",
  );
});

describe("sizes", () => {
  test("begin with the shared one", () => {
    expect(sizesOf(region([9, 4, 2])).map(({ id, membersLeft }) => [id, membersLeft])).toEqual([
      ["shared", 9],
      ["500/2", 4],
      ["1000/4", 2],
    ]);
  });

  test("are proposed as the API does, or smaller where there is no room", () => {
    expect(usualSize(region([9, 4, 2]))).toBe("500/2");
    expect(usualSize(region([1, 0, 0]))).toBe("shared");
    expect(usualSize(region([0, 0, 0]))).toBe("500/2");
    expect(usualSize({ ...region([9, 4, 2]), default_size: {} })).toBe("shared");
  });

  test("leave room for some replicas, for none, or for nothing", () => {
    const most = sizesOf(region([20, 4, 0])).map((size) => mostReplicas(region([20, 4, 0]), size));
    expect(most).toEqual([8, 3, -1]);
  });
});

test("the region is the one chosen, else the first with room", () => {
  const regions = [region([0, 0, 0], "full"), region([1, 0, 0], "north"), region([1, 1, 1], "south")];
  expect(regionOf(regions, "south")?.code).toBe("south");
  expect(regionOf(regions, null)?.code).toBe("north");
  expect(regionOf(regions, "gone")?.code).toBe("north");
  expect(regionOf([], null)).toBeNull();
});

test("the add-ons decide the type", () => {
  expect([typeOf([]), typeOf(["ai"]), typeOf(["ai", "time-series"])]).toEqual([
    "POSTGRES",
    "VECTOR",
    "TIMESERIESDB",
  ]);
});
