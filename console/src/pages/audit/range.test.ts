import { expect, test } from "vitest";
import { rangeOf } from "./range.ts";

const now = new Date("2026-11-21T12:00:00Z");

test("the last hours end now, with no bound that new records would pass", () => {
  expect(rangeOf({ kind: "last", hours: 24 }, now)).toEqual({ since: "2026-11-20T12:00:00.000Z" });
});

test("between two moments, in the zone of whoever looks", () => {
  const from = "2026-11-01T09:00";
  expect(rangeOf({ kind: "between", from, to: "" }, now)).toEqual({ since: new Date(from).toISOString() });
  expect(rangeOf({ kind: "between", from: "", to: from }, now)).toEqual({
    until: new Date(from).toISOString(),
  });
});

test("what is no moment yet bounds nothing", () => {
  expect(rangeOf({ kind: "between", from: "2026-13", to: "" }, now)).toEqual({});
});
