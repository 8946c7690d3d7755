import { expect, test } from "vitest";
import { DEFAULT_SIZES, parseSizes, type Size } from "../contract/size.ts";
import { membersLeft, noRoom } from "./room.ts";

const GIB = 1024 ** 3;
const SIZES = parseSizes(DEFAULT_SIZES);
const OVERCOMMIT = { cpu: 8, memory: 2 };
const SHARED: Size = { kind: "shared" };

const amount = (cpuMillis: number, gib: number) => ({ cpuMillis, memoryBytes: gib * GIB });
const room = (promised = amount(0, 0), capacity = amount(2_000, 16)) => ({
  code: "local",
  capacity,
  promised,
});
const size = (cpuMillis: number, memoryGbs: number): Size => ({ kind: "dedicated", cpuMillis, memoryGbs });

const refusal = (from: ReturnType<typeof room>, wanted: Size, replicaCount = 0, overcommit = OVERCOMMIT) =>
  noRoom(from, { size: wanted, replicaCount }, overcommit, SIZES);

test("what fits exactly is taken", () => {
  expect(refusal(room(), size(2_000, 8), 3)).toBeNull();
  expect(refusal(room(amount(0, 31)), SHARED)).toBeNull();
  expect(refusal(room(amount(15_750, 0)), SHARED)).toBeNull();
});

test("what is one share too much is refused, by memory and by CPU", () => {
  expect(refusal(room(amount(0, 31.5)), SHARED)).not.toBeNull();
  expect(refusal(room(amount(15_751, 0)), SHARED)).not.toBeNull();
});

test("one member never exceeds the machine, however much may be promised", () => {
  const generous = { cpu: 1_000, memory: 1_000 };
  expect(refusal(room(), size(4_000, 16), 0, generous)).toEqual({
    message: "The region local has no room for 4000/16 with 0 replicas; 2000/8 with 0 replicas would fit.",
    details:
      "One member can have at most 2000 millicores and 16 GiB, as the region's machine does. " +
      "2000000 millicores and 16000 GiB can still be promised.",
  });
});

test("both ways out are told: fewer replicas, or a smaller size", () => {
  expect(refusal(room(), size(2_000, 8), 5)?.message).toBe(
    "The region local has no room for 2000/8 with 5 replicas; " +
      "2000/8 with 3 replicas or 1000/4 with 5 replicas would fit.",
  );
});

test("a replica is not called replicas", () => {
  expect(refusal(room(amount(0, 15)), size(2_000, 8), 2)?.message).toContain("2000/8 with 1 replica or");
});

test("where no replicas fit at any size, one member alone may", () => {
  expect(refusal(room(amount(0, 30)), size(500, 2), 8)?.message).toBe(
    "The region local has no room for 500/2 with 8 replicas; 500/2 with 0 replicas would fit.",
  );
});

test("shared is named where only that fits", () => {
  expect(refusal(room(amount(0, 31)), size(500, 2))?.message).toContain("shared with 0 replicas would fit");
});

test("where nothing fits, that is told", () => {
  expect(refusal(room(amount(0, 40)), size(500, 2))).toMatchObject({
    message: expect.stringContaining("nothing on offer would fit until other services are made smaller"),
    details: expect.stringContaining("0 GiB can still be promised"),
  });
});

test("as many members are left as would be taken, and not one more", () => {
  for (const promised of [amount(0, 0), amount(15_300, 3), amount(1_000, 29.5), amount(99_000, 99)])
    for (const wanted of [SHARED, ...SIZES]) {
      const members = membersLeft(room(promised), wanted, OVERCOMMIT);
      const taken = Array.from({ length: members + 1 }, (_, replicas) =>
        refusal(room(promised), wanted, replicas),
      );
      expect(taken.map((each) => each === null)).toEqual(taken.map((_, replicas) => replicas < members));
    }
});
