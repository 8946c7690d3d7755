import { expect, test } from "vitest";
import { type MetricName, metricPlace } from "../contract/metrics.ts";
import type { NodeUsage } from "../platforms/platform.ts";
import { valuesOf } from "./rates.ts";

const BEFORE: NodeUsage = {
  ordinal: 0,
  role: "primary",
  epoch: "1",
  readAtMs: 100_000,
  gauges: { memory_bytes: 1_000 },
  counters: { cpuSeconds: 50, transactions: 1_000, queries: 7, blocksHit: 900, blocksRead: 100 },
};
const NOW: NodeUsage = {
  ...BEFORE,
  readAtMs: 110_000,
  gauges: { memory_bytes: 2_000 },
  counters: { cpuSeconds: 52.5, transactions: 1_200, queries: 7, blocksHit: 990, blocksRead: 110 },
};

function value(name: MetricName, now: NodeUsage, before: NodeUsage | null): number | null | undefined {
  return valuesOf(now, before)[metricPlace(name)];
}

test("gauges are what they are, and counters become what was added each second", () => {
  expect(value("memory_bytes", NOW, BEFORE)).toBe(2_000);
  expect(value("cpu_millis", NOW, BEFORE)).toBe(250);
  expect(value("transactions_per_second", NOW, BEFORE)).toBe(20);
  expect(value("queries_per_second", NOW, BEFORE)).toBe(0);
  expect(value("cache_hit_ratio", NOW, BEFORE)).toBe(0.9);
});

test("what is not known is null, and never a zero", () => {
  expect(value("memory_bytes", NOW, null)).toBe(2_000);
  expect(value("cpu_millis", NOW, null)).toBeNull();
  expect(value("wal_bytes_per_second", NOW, BEFORE)).toBeNull();
  expect(value("storage_bytes", NOW, BEFORE)).toBeNull();
  const idle = { ...NOW, counters: { ...NOW.counters, blocksHit: 900, blocksRead: 100 } };
  expect(value("cache_hit_ratio", idle, BEFORE)).toBeNull();
});

test.each([
  ["a server that was started anew", { ...NOW, epoch: "2" }],
  ["a counter that was reset", { ...NOW, counters: { ...NOW.counters, transactions: 5 } }],
  ["a gap of minutes", { ...NOW, readAtMs: 400_000 }],
  ["two readings of the same moment", { ...NOW, readAtMs: 100_000 }],
])("%s gives no rate", (_, now) => {
  expect(value("transactions_per_second", now, BEFORE)).toBeNull();
});
