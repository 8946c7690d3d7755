import { expect, test } from "vitest";
import type { SeriesRecords } from "../../../../src/client/index.ts";
import { chartData, highestOf, lonely, topOf } from "./chart-data.ts";

const START = Date.parse("2026-11-21T09:00:00Z");

/** One value a minute. */
function series(node: string, role: string, values: readonly (number | null)[]): SeriesRecords[number] {
  return {
    labels: { node, role },
    data: values.map((value, index) => ({ time: new Date(START + index * 60_000).toISOString(), value })),
  };
}

test("a node has one line, also where it changed its role", () => {
  const { lines, times } = chartData([
    series("member-0", "primary", [1, 2, null, null]),
    series("member-0", "replica", [null, null, null, 4]),
    series("member-1", "replica", [5, 5, null, null]),
  ]);
  expect(times).toEqual([0, 60, 120, 180].map((seconds) => START / 1_000 + seconds));
  expect(lines).toEqual([
    {
      node: "member-0",
      role: "replica",
      values: [1, 2, null, 4],
      roles: ["primary", "primary", null, "replica"],
    },
    {
      node: "member-1",
      role: "replica",
      values: [5, 5, null, null],
      roles: ["replica", "replica", null, null],
    },
  ]);
});

test("in a bucket in which a node had both roles, it is told as the primary", () => {
  for (const order of [1, -1]) {
    const both = [series("member-0", "primary", [7]), series("member-0", "replica", [1])];
    expect(chartData(order === 1 ? both : both.toReversed()).lines).toMatchObject([
      { values: [7], roles: ["primary"] },
    ]);
  }
});

test("nodes come in the order of their numbers", () => {
  const nodes = ["member-10", "member-2", "member-0"].map((node) => series(node, "replica", [1]));
  expect(chartData(nodes).lines.map(({ node }) => node)).toEqual(["member-0", "member-2", "member-10"]);
});

test("one node can be looked at alone", () => {
  const both = [series("member-0", "primary", [1]), series("member-1", "replica", [2])];
  expect(chartData(both, "member-1").lines.map(({ node }) => node)).toEqual(["member-1"]);
  expect(chartData(both, "member-9")).toEqual({ times: [], lines: [] });
});

test("what was never measured has no highest value", () => {
  expect(highestOf(chartData([series("member-0", "primary", [null, null])]))).toBeNull();
  expect(highestOf(chartData([series("member-0", "primary", [null, 0])]))).toBe(0);
  expect(
    highestOf(chartData([series("member-0", "primary", [3, 9]), series("member-1", "replica", [4, 1])])),
  ).toBe(9);
});

test("a chart reaches up to its limit only where the values come near it", () => {
  expect(topOf(400, 500)).toBeGreaterThan(500);
  expect(topOf(600, 500)).toBeGreaterThan(600);
  expect(topOf(100, 500)).toBeLessThan(200);
  expect(topOf(100, 500)).toBeGreaterThan(100);
});

test("a chart without values or with nothing but zeros has a height all the same", () => {
  for (const highest of [null, 0]) {
    expect(topOf(highest, null)).toBeGreaterThan(0);
    expect(topOf(highest, 500)).toBeGreaterThan(0);
  }
});

test("values between two gaps are drawn as points", () => {
  expect(lonely([1, null, 2, null, 3, 4, undefined, 5])).toEqual([0, 2, 7]);
  expect(lonely([1, 2, 3])).toEqual([]);
  expect(lonely([1])).toEqual([0]);
});
