import { expect, test } from "vitest";
import { spanAt } from "./position.ts";

const marked = (sql: string, position: number, before = "") => {
  const { from, to } = spanAt(sql, position, before.length);
  return (before + sql).slice(from, to);
};

test("marks the word at which the mistake stands", () => {
  expect(marked("select nothing from t", 8)).toBe("nothing");
  expect(marked('select "no such" from t', 8)).toBe('"no such"');
  expect(marked("select (1", 8)).toBe("(");
});

test("counts characters as PostgreSQL does, also those that JavaScript counts twice", () => {
  expect(marked("select '🐘🐘', nothing", 14)).toBe("nothing");
});

test("a selection is marked where it stands in the whole text", () => {
  expect(marked("selec 1", 1, "select 2;\n")).toBe("selec");
});

test("what is missing at the end is marked at the last character", () => {
  expect(marked("select 1 +", 11)).toBe("+");
});
