import { expect, test } from "vitest";
import { SHARED_SIZE } from "../contract/size.ts";
import { GIB, largerOfBoth, memberLimits, sameLimits, startLimits } from "./limits.ts";

const half = memberLimits({ kind: "dedicated", cpuMillis: 500, memoryGbs: 2 });
const two = memberLimits({ kind: "dedicated", cpuMillis: 2000, memoryGbs: 8 });
const shared = memberLimits(SHARED_SIZE);

test("a dedicated size limits CPU and memory, and weighs as much as it has cores", () => {
  expect(half).toEqual({ cpuMillis: 500, cpuWeight: 512, memoryBytes: 2 * GIB });
  expect(two).toEqual({ cpuMillis: 2000, cpuWeight: 2048, memoryBytes: 8 * GIB });
});

test("a shared size has no CPU quota, less weight than any dedicated one, and a GiB of memory", () => {
  expect(shared.cpuMillis).toBeNull();
  expect(shared.cpuWeight).toBeLessThan(half.cpuWeight);
  expect(shared.memoryBytes).toBe(GIB);
});

test("no size has so little weight that the kernel would refuse it", () => {
  expect(memberLimits({ kind: "dedicated", cpuMillis: 1, memoryGbs: 1 }).cpuWeight).toBe(2);
});

test("a member starts with all CPU and its own memory and weight", () => {
  expect(startLimits(half)).toEqual({ ...half, cpuMillis: null });
});

test("the larger of both is at least each of them, and no quota is the largest", () => {
  expect(largerOfBoth(half, two)).toEqual(two);
  expect(largerOfBoth(two, shared)).toEqual({ ...two, cpuMillis: null });
  const mixed = { cpuMillis: 100, cpuWeight: 4096, memoryBytes: GIB };
  expect(largerOfBoth(mixed, half)).toEqual({ cpuMillis: 500, cpuWeight: 4096, memoryBytes: 2 * GIB });
});

test("limits are the same only if all of them are", () => {
  expect(sameLimits(half, { ...half })).toBe(true);
  expect(sameLimits(half, { ...half, cpuMillis: null })).toBe(false);
  expect(sameLimits(half, { ...half, cpuWeight: 1 })).toBe(false);
  expect(sameLimits(half, { ...half, memoryBytes: 1 })).toBe(false);
});
