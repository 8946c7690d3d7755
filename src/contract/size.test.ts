import { describe, expect, test } from "vitest";
import { chooseSize, DEFAULT_SIZES, parseSizes, SHARED_SIZE, sizeInWords, sizeNotation } from "./size.ts";

const sizes = parseSizes(DEFAULT_SIZES);
const choose = (request: Parameters<typeof chooseSize>[0]) => chooseSize(request, sizes, true);
const dedicated = (cpuMillis: number, memoryGbs: number) => ({ kind: "dedicated", cpuMillis, memoryGbs });

describe("a list of sizes", () => {
  test("is read smallest first, blanks aside", () => {
    expect(parseSizes(" 2000/8 ,500/2,1000/2")).toEqual([
      dedicated(500, 2),
      dedicated(1000, 2),
      dedicated(2000, 8),
    ]);
  });

  test.each(["", "500", "500/2,", "0/2", "500/0", "1.5/2", "-1/2", "500/2/1", "all"])(
    "is refused as %j, naming the entry",
    (list) => {
      const entry = list.split(",").at(-1)?.trim();
      expect(() => parseSizes(list)).toThrow(`"${entry}" is not a size`);
    },
  );
});

describe("the size that a request means", () => {
  test("is none where nothing is said", () => {
    expect(choose({})).toEqual({ kind: "none" });
  });

  test.each([
    [{ cpu_millis: "1000" }, dedicated(1000, 4)],
    [{ memory_gbs: "16" }, dedicated(4000, 16)],
    [{ cpu_millis: "500", memory_gbs: "2" }, dedicated(500, 2)],
    [{ cpu_millis: "shared" }, SHARED_SIZE],
    [{ memory_gbs: "shared" }, SHARED_SIZE],
    [{ cpu_millis: "shared", memory_gbs: "shared" }, SHARED_SIZE],
  ])("of %j is %j", (request, size) => {
    expect(choose(request)).toEqual({ kind: "size", size });
  });

  test("is the smallest that has the one value given", () => {
    const list = parseSizes("1000/8,1000/4,2000/8");
    expect(chooseSize({ memory_gbs: "8" }, list, true)).toEqual({ kind: "size", size: dedicated(1000, 8) });
  });

  test.each([
    [{ cpu_millis: "500", memory_gbs: "4" }, 'cpu_millis "500" with memory_gbs "4"'],
    [{ cpu_millis: "600" }, 'cpu_millis "600"'],
    [{ cpu_millis: "0500" }, 'cpu_millis "0500"'],
    [{ cpu_millis: "shared", memory_gbs: "2" }, 'cpu_millis "shared" with memory_gbs "2"'],
    [{ cpu_millis: "500", memory_gbs: "shared" }, 'cpu_millis "500" with memory_gbs "shared"'],
  ])("of %j is refused with the list of those on offer", (request, asked) => {
    expect(choose(request)).toEqual({
      kind: "refused",
      message:
        `${asked} is not a size on offer; choose cpu_millis/memory_gbs from: ` +
        "shared, 500/2, 1000/4, 2000/8, 4000/16, 8000/32, 16000/64, 32000/128",
    });
  });

  test("is never shared in a resize, nor is that offered", () => {
    const choice = chooseSize({ cpu_millis: "shared" }, parseSizes("500/2"), false);
    expect(choice).toEqual({
      kind: "refused",
      message: "a service cannot be resized to shared; choose cpu_millis/memory_gbs from: 500/2",
    });
  });
});

test("a size is noted as it is configured", () => {
  expect(sizes.map(sizeNotation).join(",")).toBe(DEFAULT_SIZES);
  expect(sizeNotation(SHARED_SIZE)).toBe("shared");
});

test("a size in words has the units that people count in", () => {
  expect([...sizes.slice(0, 2), SHARED_SIZE].map(sizeInWords)).toEqual([
    "0.5 CPU and 2 GB",
    "1 CPU and 4 GB",
    "a shared CPU",
  ]);
});
