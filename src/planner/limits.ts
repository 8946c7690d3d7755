import type { Size } from "../contract/size.ts";

/** What the platform enforces on one member. */
export interface MemberLimits {
  /** Upper bound in thousandths of a core; null: none of its own. */
  readonly cpuMillis: number | null;
  /** Share under contention, relative to others; 1024 for one core. */
  readonly cpuWeight: number;
  readonly memoryBytes: number;
}

export const GIB = 1024 ** 3;

const SHARED_MEMORY_BYTES = GIB;
const SHARED_CPU_WEIGHT = 128;

export function memberLimits(size: Size): MemberLimits {
  switch (size.kind) {
    case "shared":
      return { cpuMillis: null, cpuWeight: SHARED_CPU_WEIGHT, memoryBytes: SHARED_MEMORY_BYTES };
    case "dedicated":
      return {
        cpuMillis: size.cpuMillis,
        cpuWeight: Math.max(2, Math.round((size.cpuMillis * 1024) / 1000)),
        memoryBytes: size.memoryGbs * GIB,
      };
  }
}
