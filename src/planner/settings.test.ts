import { describe, expect, test } from "vitest";
import { DEFAULT_SIZES, parseSizes, SHARED_SIZE, type Size } from "../contract/size.ts";
import { PARAMETERS } from "./parameter-catalogue.ts";
import { canonicalValue, findParameter } from "./parameters.ts";
import {
  differingSettings,
  needsRestart,
  STANDBY_FLOOR_SETTINGS,
  settingsFor,
  settingsForSize,
} from "./settings.ts";

const dedicated = (cpuMillis: number, memoryGbs: number): Size => ({
  kind: "dedicated",
  cpuMillis,
  memoryGbs,
});

describe("the settings that follow a size", () => {
  test("are small for a shared one", () => {
    expect(settingsForSize(SHARED_SIZE)).toEqual({
      shared_buffers: "256MB",
      effective_cache_size: "768MB",
      maintenance_work_mem: "128MB",
      work_mem: "4MB",
      max_parallel_workers: "2",
      max_parallel_workers_per_gather: "1",
      max_parallel_maintenance_workers: "1",
    });
  });

  test("grow with memory and cores", () => {
    expect(settingsForSize(dedicated(4000, 16))).toEqual({
      shared_buffers: "4GB",
      effective_cache_size: "12GB",
      maintenance_work_mem: "2GB",
      work_mem: "10485kB",
      max_parallel_workers: "4",
      max_parallel_workers_per_gather: "2",
      max_parallel_maintenance_workers: "2",
    });
  });

  test("keep maintenance within 2 GB, however large the machine", () => {
    expect(settingsForSize(dedicated(32_000, 128))["maintenance_work_mem"]).toBe("2GB");
  });

  test("differ between any two sizes on offer by one that needs a restart", () => {
    const buffers = parseSizes(DEFAULT_SIZES).map((size) => settingsForSize(size)["shared_buffers"]);
    expect(new Set(buffers).size).toBe(buffers.length);
  });
});

describe("the settings of a service", () => {
  const size = dedicated(1000, 4);

  test("are all that are managed, each with one value", () => {
    expect(Object.keys(settingsFor(size, {}))).toEqual(PARAMETERS.map(({ name }) => name));
  });

  test("are the defaults where nothing follows the size and nothing was chosen", () => {
    expect(settingsFor(size, {})).toMatchObject({
      ...settingsForSize(size),
      jit: "on",
      max_connections: "100",
    });
  });

  test("are what was chosen, and the size's own again once the choice is taken back", () => {
    const chosen = settingsFor(size, { work_mem: "64MB", jit: "off" });
    expect(chosen).toEqual({ ...settingsFor(size, {}), work_mem: "64MB", jit: "off" });
  });

  test("leave out what is not managed, whoever wrote it down", () => {
    expect(settingsFor(size, { fsync: "off" })).toEqual(settingsFor(size, {}));
  });

  test("are acceptable by themselves at every size, and written as they would be", () => {
    const sizes: readonly Size[] = [SHARED_SIZE, ...parseSizes(`${DEFAULT_SIZES},1/1,9000000/4000`)];
    for (const each of sizes) {
      for (const [name, value] of Object.entries(settingsFor(each, {}))) {
        const parameter = findParameter(name);
        expect(parameter && canonicalValue(parameter, value, each)).toEqual({ kind: "value", value });
      }
    }
  });

  test("share memory among as many connections as there are by default", () => {
    const { work_mem, max_connections } = settingsFor(dedicated(4000, 16), {});
    expect(work_mem).toBe(`${Math.floor((2 * 1024 ** 2) / Number(max_connections) / 2)}kB`);
  });

  test("that a standby needs as much of as its primary are taken up at a restart", () => {
    expect(STANDBY_FLOOR_SETTINGS).toEqual(["max_connections"]);
    expect(needsRestart(STANDBY_FLOOR_SETTINGS)).toBe(true);
  });
});

describe("differing settings", () => {
  const wanted = { shared_buffers: "1GB", work_mem: "4MB" };

  test("are named, and what nobody asked for is not among them", () => {
    const actual = { shared_buffers: "1GB", work_mem: "8MB", port: "5432" };
    expect(differingSettings(wanted, actual)).toEqual(["work_mem"]);
  });

  test("include those that are not there at all", () => {
    expect(differingSettings(wanted, {})).toEqual(["shared_buffers", "work_mem"]);
  });

  test("need a restart where PostgreSQL takes one of them up only then", () => {
    expect(needsRestart(["work_mem", "shared_buffers"])).toBe(true);
    expect(needsRestart(["track_activity_query_size"])).toBe(true);
    expect(needsRestart(["work_mem", "max_parallel_workers"])).toBe(false);
    expect(needsRestart([])).toBe(false);
  });
});
