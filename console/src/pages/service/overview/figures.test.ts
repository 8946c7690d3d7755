import { expect, test } from "vitest";
import type { SeriesRecords } from "../../../../../src/client/index.ts";
import { newestOf } from "../../../ui/newest.ts";
import { figureOf } from "./figures.ts";

function series(node: string, role: string, values: readonly (number | null)[]): SeriesRecords[number] {
  const data = values.map((value, minute) => ({ time: `2026-11-21T09:0${minute}:00.000Z`, value }));
  return { labels: { node, role }, data };
}

const FAILOVER = [
  series("member-0", "primary", [10, 11, null, null]),
  series("member-1", "primary", [null, null, null, 20]),
  series("member-1", "replica", [3, 3, 4, null]),
];

test("a figure follows the lead from one member to the next, with the gap in between", () => {
  expect(figureOf(FAILOVER, "primary")).toEqual({ values: [10, 11, null, 20], now: 20 });
});

test("what was measured minutes ago is no figure of now", () => {
  const stopped = [series("member-0", "primary", [10, null, null, null, null, null])];
  expect(figureOf(stopped, "primary")).toMatchObject({ now: null });
});

test("of the nodes of a set, the busiest is told", () => {
  const nodes = [series("member-0", "replica", [1, 8]), series("member-1", "replica", [5, null])];
  expect(figureOf(nodes, "replica")).toEqual({ values: [5, 8], now: 8 });
});

test("where nothing was measured there is no figure", () => {
  expect(figureOf([], "primary")).toEqual({ values: [], now: null });
  expect(figureOf([series("member-0", "replica", [1])], "primary")).toEqual({ values: [null], now: null });
});

test("the newest number of a node is that of its newest role", () => {
  expect(newestOf(FAILOVER, "member-1")).toBe(20);
  expect(newestOf(FAILOVER, "member-0")).toBe(11);
  expect(newestOf(FAILOVER, "member-2")).toBeNull();
  expect(newestOf(undefined, "member-0")).toBeNull();
});
