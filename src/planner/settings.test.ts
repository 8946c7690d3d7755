import { describe, expect, test } from "vitest";
import { DEFAULT_SIZES, parseSizes, SHARED_SIZE, type Size } from "../contract/size.ts";
import { differingSettings, needsRestart, settingsForSize } from "./settings.ts";

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

describe("differing settings", () => {
  const wanted = { shared_buffers: "1GB", work_mem: "4MB" };

  test("are named, and what nobody asked for is not among them", () => {
    const actual = { shared_buffers: "1GB", work_mem: "8MB", port: "5432" };
    expect(differingSettings(wanted, actual)).toEqual(["work_mem"]);
  });

  test("include those that are not there at all", () => {
    expect(differingSettings(wanted, {})).toEqual(["shared_buffers", "work_mem"]);
  });

  test("need a restart for shared buffers alone", () => {
    expect(needsRestart(["work_mem", "shared_buffers"])).toBe(true);
    expect(needsRestart(["work_mem", "max_parallel_workers"])).toBe(false);
    expect(needsRestart([])).toBe(false);
  });
});
