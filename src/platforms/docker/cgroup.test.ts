import { expect, test } from "vitest";
import { readControlGroup } from "./cgroup.ts";

const ABSENT = { cpu: null, memory: null, inactive: null, io: null };

test("the first version of control groups counts nanoseconds, and bytes by device", () => {
  const v1 = {
    cpu: "3500000000\n",
    memory: "217903104\n",
    inactive: "83918848",
    io: "259:0 Read 4096\n259:0 Write 100\n259:0 Total 4196\n8:16 Read 4\n8:16 Write 1\nTotal 4201\n",
  };
  expect(readControlGroup({ v1, v2: ABSENT })).toEqual({
    counters: { cpuSeconds: 3.5, ioReadBytes: 4100, ioWriteBytes: 101 },
    gauges: { memory_bytes: 133984256 },
  });
});

test("the second one counts microseconds, and bytes by device", () => {
  const v2 = {
    cpu: "usage_usec 1500000\nuser_usec 1000000\nsystem_usec 500000\n",
    memory: "1000\n",
    inactive: "400",
    io: "259:0 rbytes=4096 wbytes=100 rios=1 wios=1 dbytes=0 dios=0\n8:16 rbytes=4 wbytes=1 rios=1 wios=1\n",
  };
  expect(readControlGroup({ v1: ABSENT, v2 })).toEqual({
    counters: { cpuSeconds: 1.5, ioReadBytes: 4100, ioWriteBytes: 101 },
    gauges: { memory_bytes: 600 },
  });
});

test("where the kernel counts nothing of a disk, nothing is claimed", () => {
  const v1 = { ...ABSENT, cpu: "1000000000", io: "Total 0\n" };
  expect(readControlGroup({ v1, v2: ABSENT })).toEqual({ counters: { cpuSeconds: 1 }, gauges: {} });
  expect(readControlGroup({ v1: ABSENT, v2: ABSENT })).toEqual({ counters: {}, gauges: {} });
});
