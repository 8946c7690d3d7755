/** What the kernel says of a container's use, in the files of either version of control groups. Pure. */
import { type Static, Type } from "typebox";
import type { Counter, Gauge } from "../platform.ts";

const File = Type.Union([Type.String(), Type.Null()]);

/** The texts of the files; null for one that is not there. */
export const ControlGroup = Type.Object({
  v1: Type.Object({ cpu: File, memory: File, inactive: File, io: File }),
  v2: Type.Object({ cpu: File, memory: File, inactive: File, io: File }),
});
export type ControlGroup = Static<typeof ControlGroup>;

type Files = ControlGroup["v1"];

export interface ControlGroupUsage {
  readonly counters: Partial<Record<Extract<Counter, "cpuSeconds" | "ioReadBytes" | "ioWriteBytes">, number>>;
  readonly gauges: Partial<Record<Extract<Gauge, "memory_bytes">, number>>;
}

export function readControlGroup({ v1, v2 }: ControlGroup): ControlGroupUsage {
  return v2.memory === null
    ? usage(v1, scaled(v1.cpu, /^(\d+)/, 1e-9), ioOfDevices(v1.io, / Read (\d+)/g, / Write (\d+)/g))
    : usage(
        v2,
        scaled(v2.cpu, /^usage_usec (\d+)/m, 1e-6),
        ioOfDevices(v2.io, /rbytes=(\d+)/g, /wbytes=(\d+)/g),
      );
}

function usage(files: Files, cpuSeconds: number | null, io: { read: number; write: number } | null) {
  const used = scaled(files.memory, /^(\d+)/, 1);
  // Cached files that nobody has touched for a while are given back as soon as somebody wants the memory.
  const inactive = scaled(files.inactive, /^(\d+)/, 1) ?? 0;
  return {
    counters: {
      ...(cpuSeconds === null ? {} : { cpuSeconds }),
      ...(io === null ? {} : { ioReadBytes: io.read, ioWriteBytes: io.write }),
    },
    gauges: used === null ? {} : { memory_bytes: Math.max(0, used - inactive) },
  };
}

function scaled(text: string | null, pattern: RegExp, unit: number): number | null {
  const found = text === null ? undefined : pattern.exec(text)?.[1];
  return found === undefined ? null : Number(found) * unit;
}

function ioOfDevices(
  text: string | null,
  reads: RegExp,
  writes: RegExp,
): { read: number; write: number } | null {
  // Of some disks the kernel counts nothing; it names none then.
  if (text === null || !text.includes(":")) return null;
  const sum = (pattern: RegExp) =>
    [...text.matchAll(pattern)].reduce((total, [, bytes]) => total + Number(bytes), 0);
  return { read: sum(reads), write: sum(writes) };
}
