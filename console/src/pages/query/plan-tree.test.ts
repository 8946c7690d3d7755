import { expect, test } from "vitest";
import { readPlan } from "./plan-tree.ts";

const scan = (more: Record<string, unknown> = {}) => ({
  "Node Type": "Seq Scan",
  "Relation Name": "orders",
  Alias: "o",
  "Total Cost": 60,
  "Plan Rows": 100,
  ...more,
});

const ran = (ms: number, rows: number, loops = 1) => ({
  "Actual Total Time": ms,
  "Actual Rows": rows,
  "Actual Loops": loops,
});

test("a step's own cost is what its children do not have, and the dearest is the worst", () => {
  const sort = { "Node Type": "Sort", "Total Cost": 100, "Plan Rows": 100, Plans: [scan()] };
  const tree = readPlan([{ Plan: sort }]);
  expect(tree?.nodes.map(({ kind, depth, ownCost, share }) => [kind, depth, ownCost, share])).toEqual([
    ["Sort", 0, 40, 0.4],
    ["Seq Scan", 1, 60, 0.6],
  ]);
  expect(tree?.worst?.kind).toBe("Seq Scan");
  expect(tree?.measured).toBe(false);
  expect(tree?.nodes[1]?.subject).toBe("orders as o");
});

test("times of all loops count, and shares are of time where it was measured", () => {
  const inner = { ...scan(), ...ran(0.5, 2, 40) };
  const loop = {
    "Node Type": "Nested Loop",
    "Join Type": "Left",
    "Total Cost": 1,
    Plans: [inner],
    ...ran(25, 80),
  };
  const tree = readPlan([{ Plan: loop, "Planning Time": 0.2, "Execution Time": 26 }]);
  expect(
    tree?.nodes.map(({ kind, ms, ownMs, actualRows, share }) => [kind, ms, ownMs, actualRows, share]),
  ).toEqual([
    ["Nested Loop (left)", 25, 5, 80, 0.2],
    ["Seq Scan", 20, 20, 80, 0.8],
  ]);
  expect(tree?.executionMs).toBe(26);
});

test("what several processes did at the same time took that time once", () => {
  const parallel = { ...scan({ "Parallel Aware": true }), ...ran(10, 30, 3) };
  const gather = {
    "Node Type": "Gather",
    "Total Cost": 70,
    "Workers Launched": 2,
    Plans: [parallel],
    ...ran(12, 90),
  };
  const tree = readPlan([{ Plan: gather }]);
  expect(tree?.nodes.map(({ kind, ms, ownMs, actualRows }) => [kind, ms, ownMs, actualRows])).toEqual([
    ["Gather", 12, 2, 90],
    ["Parallel Seq Scan", 10, 10, 90],
  ]);
});

test("tells where ten times more or fewer rows came than were thought, and not of what never ran", () => {
  const misjudged = (more: Record<string, unknown>) => readPlan([{ Plan: scan(more) }])?.nodes[0]?.misjudged;
  expect(misjudged(ran(1, 2_000))).toBe(20);
  expect(misjudged(ran(1, 0))).toBe(100);
  expect(misjudged(ran(1, 150))).toBeNull();
  expect(misjudged(ran(0, 0, 0))).toBeNull();
});

test("has the rest as details, without what is nothing", () => {
  const [node] =
    readPlan([{ Plan: scan({ Filter: "(a > 1)", "Shared Hit Blocks": 1200, "Temp Read Blocks": 0 }) }])
      ?.nodes ?? [];
  expect(node?.details).toEqual([
    ["Filter", "(a > 1)"],
    ["Shared Hit Blocks", "1,200"],
  ]);
});

test("one step alone is not called the worst, and what is no plan is none", () => {
  expect(readPlan([{ Plan: scan() }])?.worst).toBeNull();
  expect(readPlan({ Plan: scan() })).toBeNull();
  expect(readPlan([])).toBeNull();
});
