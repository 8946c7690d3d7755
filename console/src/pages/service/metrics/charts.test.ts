import { expect, test } from "vitest";
import { GROUPS, plain } from "./charts.ts";

test("no metric has two charts, and every chart tells its numbers with their unit", () => {
  const charts = GROUPS.flatMap((group) => group.charts);
  expect(new Set(charts.map(({ metric }) => metric)).size).toBe(charts.length);
  const told = (metric: string, value: number) =>
    charts.find((chart) => chart.metric === metric)?.format(value);
  expect(told("cpu_millis", 1_500)).toBe("1.5 CPU");
  expect(told("memory_bytes", 2 * 1024 ** 3)).toBe("2 GB");
  expect(told("storage_bytes", 49_000_000)).toBe("49 MB");
  expect(told("cache_hit_ratio", 0.9987)).toBe("99.9 %");
  expect(told("wal_bytes_per_second", 2_500)).toBe("2.5 kB/s");
  expect(told("replication_lag_seconds", 0.0123)).toBe("0.012 s");
});

test("numbers have as many digits as say something", () => {
  expect([0, 0.04712, 1, 12.3456, 1234.5].map(plain)).toEqual(["0", "0.047", "1", "12.35", "1235"]);
});
