import { expect, test } from "vitest";
import { toCsv } from "./csv.ts";

test("quotes what would be taken apart, and tells NULL from an empty text", () => {
  const columns = [
    { name: "plain", type: "text" },
    { name: 'with "quotes"', type: "text" },
  ];
  const rows = [
    ["a", "b, c"],
    [null, ""],
    ["two\nlines", 'say "yes"'],
  ];
  expect(toCsv({ columns, rows })).toBe(
    'plain,"with ""quotes"""\r\na,"b, c"\r\n,""\r\n"two\nlines","say ""yes"""\r\n',
  );
});
