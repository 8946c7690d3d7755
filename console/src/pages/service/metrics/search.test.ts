import { expect, test } from "vitest";
import { momentFrom } from "../../../data/time-range.ts";
import { localFrom, metricsSearch, rangeOf } from "./search.ts";

const FROM = "2026-11-21T09:00:00.000Z";
const TO = "2026-11-21T10:30:00.000Z";

test("an address that says nothing means the last hour of all nodes", () => {
  expect(metricsSearch({})).toEqual({});
  expect(rangeOf({})).toEqual({ kind: "last", seconds: 3_600 });
});

test("usual ranges, times and nodes are understood", () => {
  expect(metricsSearch({ range: "7d", node: "member-1" })).toEqual({ range: "7d", node: "member-1" });
  expect(rangeOf({ range: "7d" })).toEqual({ kind: "last", seconds: 7 * 86_400 });
  expect(rangeOf(metricsSearch({ from: FROM, to: TO }))).toEqual({ kind: "between", from: FROM, to: TO });
});

test.each([
  { range: "2 weeks" },
  { range: 7 },
  { from: FROM },
  { to: TO },
  { from: TO, to: FROM },
  { from: FROM, to: FROM },
  { from: "yesterday", to: "today" },
  { from: "2026-11-21", to: "2026-11-22" },
  { node: "" },
  { node: 1 },
])("what makes no sense is left out: %j", (search) => {
  expect(metricsSearch(search)).toEqual({});
});

test("a time wins over a usual range", () => {
  expect(rangeOf({ range: "7d", from: FROM, to: TO }).kind).toBe("between");
});

test("what is typed in the viewer's zone is the same moment again", () => {
  expect(momentFrom(localFrom(FROM))).toBe(FROM);
  expect(momentFrom("")).toBeNull();
  expect(momentFrom("soon")).toBeNull();
});
