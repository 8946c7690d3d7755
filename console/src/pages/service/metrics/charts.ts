/** Which charts there are, in which order, and how their numbers are told. Pure. */
import type { MetricName } from "../../../../../src/contract/metrics.ts";
import { bytes, memoryBytes } from "../../../ui/format.ts";

export interface ChartKind {
  readonly metric: MetricName;
  readonly title: string;
  /** What the number means, where the title does not say it. */
  readonly note?: string;
  readonly format: (value: number) => string;
  /** Round steps of an axis whose unit does not count in tens. */
  readonly steps?: readonly number[];
  /** Which limit it has. */
  readonly limit?: "cpu" | "memory" | "connections" | "whole";
}

export interface ChartGroup {
  readonly title: string;
  readonly charts: readonly ChartKind[];
}

/** From a kilobyte to a petabyte. */
const BINARY_STEPS = Array.from({ length: 40 }, (_, power) => 2 ** (power + 10));

export const GROUPS: readonly ChartGroup[] = [
  {
    title: "What it uses",
    charts: [
      { metric: "cpu_millis", title: "CPU", format: cores, limit: "cpu" },
      { metric: "memory_bytes", title: "Memory", format: memoryBytes, steps: BINARY_STEPS, limit: "memory" },
      { metric: "storage_bytes", title: "Disk", note: "Databases and WAL", format: bytes },
      {
        metric: "disk_available_bytes",
        title: "Left on its disk",
        note: "For everything that is on it",
        format: bytes,
      },
    ],
  },
  {
    title: "What clients do",
    charts: [
      { metric: "connections", title: "Connections", format: plain, limit: "connections" },
      { metric: "active_connections", title: "Connections that run a statement", format: plain },
      { metric: "transactions_per_second", title: "Transactions per second", format: plain },
      { metric: "queries_per_second", title: "Queries per second", format: plain },
      {
        metric: "cache_hit_ratio",
        title: "Cache hit ratio",
        note: "Of all blocks read, those in shared buffers",
        format: percent,
        limit: "whole",
      },
      { metric: "waiting_locks", title: "Locks waited for", format: plain },
    ],
  },
  {
    title: "Replication and WAL",
    charts: [
      { metric: "replication_lag_bytes", title: "Lag", note: "WAL still to be replayed", format: bytes },
      {
        metric: "replication_lag_seconds",
        title: "Lag in time",
        note: "How long replaying takes",
        format: seconds,
      },
      {
        metric: "wal_bytes_per_second",
        title: "WAL per second",
        note: "Written, or on a replica replayed",
        format: bytesPerSecond,
      },
      { metric: "wal_size_bytes", title: "WAL kept", format: bytes },
    ],
  },
  {
    title: "Disk traffic",
    charts: [
      { metric: "io_read_bytes_per_second", title: "Read per second", format: bytesPerSecond },
      { metric: "io_write_bytes_per_second", title: "Written per second", format: bytesPerSecond },
      { metric: "temp_bytes_per_second", title: "Temporary files per second", format: bytesPerSecond },
      { metric: "deadlocks_per_second", title: "Deadlocks per second", format: plain },
    ],
  },
];

function cores(millis: number): string {
  return `${plain(millis / 1_000)} CPU`;
}

/** With two digits that say something, and no more than two behind the point from 1 on. */
export function plain(value: number): string {
  if (value === 0) return "0";
  if (Math.abs(value) < 1) return String(Number(value.toPrecision(2)));
  return String(Number(value.toFixed(Math.abs(value) < 100 ? 2 : 0)));
}

function percent(ratio: number): string {
  return `${Number((ratio * 100).toFixed(1))} %`;
}

function seconds(value: number): string {
  return `${plain(value)} s`;
}

function bytesPerSecond(value: number): string {
  return `${bytes(value)}/s`;
}
