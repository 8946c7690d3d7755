import { expect, test } from "vitest";
import { columnWidth, isNumeric, moved } from "./cells.ts";

const size = { rows: 100, columns: 3 };
const key = (name: string, ctrlKey = false) => ({ key: name, ctrlKey, metaKey: false });

test("keys lead from cell to cell, and never out of the table", () => {
  expect(moved({ row: 0, column: 0 }, key("ArrowUp"), size)).toEqual({ row: 0, column: 0 });
  expect(moved({ row: 5, column: 1 }, key("ArrowRight"), size)).toEqual({ row: 5, column: 2 });
  expect(moved({ row: 95, column: 1 }, key("PageDown"), size)).toEqual({ row: 99, column: 1 });
  expect(moved({ row: 5, column: 1 }, key("End"), size)).toEqual({ row: 5, column: 2 });
  expect(moved({ row: 5, column: 1 }, key("Home", true), size)).toEqual({ row: 0, column: 0 });
  expect(moved({ row: 5, column: 1 }, key("Tab"), size)).toBeNull();
  expect(moved({ row: 0, column: 0 }, key("ArrowDown"), { rows: 0, columns: 3 })).toBeNull();
});

test("numbers are those that are read from the right, and not lists of them", () => {
  expect(["bigint", "numeric(10,2)", "double precision"].every(isNumeric)).toBe(true);
  expect(["text", "integer[]", "interval", "numrange"].some(isNumeric)).toBe(false);
});

test("a column is as wide as its longest value, within bounds", () => {
  const width = (...values: (string | null)[]) =>
    columnWidth(
      { name: "a", type: "text" },
      values.map((value) => [value]),
      0,
    );
  expect(width("x")).toBe(width(null));
  expect(width("x".repeat(20))).toBeGreaterThan(width("x".repeat(12)));
  expect(width("x".repeat(500))).toBe(width("x".repeat(5_000)));
});
