import type { NodeUsage } from "../platform.ts";
import {
  BYTES_PER_WRITE,
  isUp,
  isWritable,
  lagBytes,
  type MemberState,
  type ServiceState,
  sourceOf,
} from "./state.ts";

const MIB = 1024 ** 2;
/** What a server without load takes: memory, a part of a core, and room. */
const IDLE_MEMORY_PART = 1 / 4;
const IDLE_CPU_PART = 0.01;
const IDLE_STORAGE_BYTES = 32 * MIB;
const CPU_SECONDS_PER_WRITE = 0.0005;

/**
 * Roles, lag, writes and WAL are the model's own. What it knows nothing of, such as CPU and memory, follows from the
 * size, the time and the writes, so that it is the same each time.
 */
export function usage(state: ServiceState, nowMs: number): readonly NodeUsage[] {
  return state.members.flatMap((member) => usageOf(state, member, nowMs));
}

function usageOf(state: ServiceState, member: MemberState, nowMs: number): readonly NodeUsage[] {
  const { data, ordinal, limits, settings } = member;
  if (!isUp(member) || !data) return [];
  const leads = state.leader?.ordinal === ordinal && isWritable(state, nowMs);
  const source = sourceOf(state);
  const walBytes = data.position * BYTES_PER_WRITE;
  return [
    {
      ordinal,
      role: leads ? "primary" : "replica",
      epoch: `${state.systemId}`,
      readAtMs: nowMs,
      gauges: {
        memory_bytes: (limits?.memoryBytes ?? 0) * IDLE_MEMORY_PART,
        storage_bytes: IDLE_STORAGE_BYTES + walBytes,
        max_connections: Number(settings["max_connections"] ?? 100),
        ...(leads || !source ? {} : { replication_lag_bytes: lagBytes(source, data) }),
      },
      counters: {
        cpuSeconds: (nowMs / 1000) * IDLE_CPU_PART + data.position * CPU_SECONDS_PER_WRITE,
        transactions: leads ? data.position : 0,
        queries: leads ? data.position : 0,
        walBytes,
      },
    },
  ];
}
