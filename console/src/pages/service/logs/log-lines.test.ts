import { expect, test } from "vitest";
import {
  gather,
  highlighted,
  keyOf,
  type LogLine,
  NOTHING_GATHERED,
  searchWords,
  trimmed,
} from "./log-lines.ts";

const line = (second: number, message: string, node = "member-0"): LogLine => ({
  timestamp: `2026-11-21T09:00:0${second}.000Z`,
  severity: "LOG",
  message,
  node,
});
const messages = ({ lines }: { lines: readonly LogLine[] }) => lines.map(({ message }) => message);

test("pages come newest first, and their lines stand oldest first, each once", () => {
  const first = gather(NOTHING_GATHERED, [line(3, "c"), line(2, "b")]);
  const second = gather(first, [line(4, "d"), line(3, "c")]);
  expect(messages(second)).toEqual(["b", "c", "d"]);
  expect(messages(gather(second, [line(1, "a")]))).toEqual(["a", "b", "c", "d"]);
});

test("a line that a slower member tells later stands where it belongs", () => {
  const known = gather(NOTHING_GATHERED, [line(3, "c")]);
  expect(messages(gather(known, [line(4, "d"), line(2, "late", "member-1")]))).toEqual(["late", "c", "d"]);
});

test("lines of one moment stay as the API ordered them", () => {
  expect(messages(gather(NOTHING_GATHERED, [line(1, "third"), line(1, "second"), line(1, "first")]))).toEqual(
    ["first", "second", "third"],
  );
});

test("a page without news changes nothing, not even the object", () => {
  const known = gather(NOTHING_GATHERED, [line(1, "a")]);
  expect(gather(known, [line(1, "a")])).toBe(known);
});

test("of too many lines the oldest go, and may come again", () => {
  const known = trimmed(gather(NOTHING_GATHERED, [line(3, "c"), line(2, "b"), line(1, "a")]), 2);
  expect(messages(known)).toEqual(["b", "c"]);
  expect(known.keys.has(keyOf(line(1, "a")))).toBe(false);
});

test("words are searched one by one, and together where quotes are around them", () => {
  expect(searchWords('deadlock "process 42"  x')).toEqual(["deadlock", "process 42", "x"]);
  expect(searchWords('"not closed yet')).toEqual(["not closed yet"]);
  expect(searchWords("  ")).toEqual([]);
  expect(searchWords("w ".repeat(20))).toHaveLength(10);
});

test("what was found is told apart, whatever its case and whatever it means to a pattern", () => {
  expect(highlighted("Select 1 + 1 (select)", ["select", "1 + 1"])).toEqual([
    { text: "Select", found: true },
    { text: " ", found: false },
    { text: "1 + 1", found: true },
    { text: " (", found: false },
    { text: "select", found: true },
    { text: ")", found: false },
  ]);
});
