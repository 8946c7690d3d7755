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

/**
 * What a member starts with: all the CPU there is, since initdb and a base copy under a small quota take several times
 * as long; its weight keeps it from crowding others out. The size's own quota follows once it is up.
 */
export function startLimits(limits: MemberLimits): MemberLimits {
  return { ...limits, cpuMillis: null };
}

/** At least both in everything, for the time in which a member changes from one size to another. */
export function largerOfBoth(a: MemberLimits, b: MemberLimits): MemberLimits {
  return {
    cpuMillis: a.cpuMillis === null || b.cpuMillis === null ? null : Math.max(a.cpuMillis, b.cpuMillis),
    cpuWeight: Math.max(a.cpuWeight, b.cpuWeight),
    memoryBytes: Math.max(a.memoryBytes, b.memoryBytes),
  };
}

export function sameLimits(a: MemberLimits, b: MemberLimits): boolean {
  return a.cpuMillis === b.cpuMillis && a.cpuWeight === b.cpuWeight && a.memoryBytes === b.memoryBytes;
}
