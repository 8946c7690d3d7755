import { expect, test } from "vitest";
import { renderColumns } from "./columns.ts";

test("each column is as wide as its widest cell, and no line ends in space", () => {
  expect(
    renderColumns(
      ["id", "name"],
      [
        ["1", "orders"],
        ["22", ""],
      ],
    ),
  ).toBe(["ID  NAME", "1   orders", "22"].join("\n"));
});

test("a cell can have a look of its own without moving the next one", () => {
  const style = (padded: string, column: number) => (column === 0 ? `<${padded}>` : padded);
  expect(renderColumns(["a", "b"], [["x", "y"]], style)).toBe("A  B\n<x>  y");
});

test("what others have named cannot steer the terminal", () => {
  expect(renderColumns(["name"], [["\u001b[2Jorders\r\nmore"]])).toBe("NAME\norders more");
});
