import { expect, test } from "vitest";
import { NO_FILTER, queryOf } from "./log-filter.ts";

const NOW = Date.UTC(2026, 10, 21, 9);

test("without a filter everything is asked for", () => {
  expect(queryOf(NO_FILTER, NOW)).toEqual({});
});

test("each part of the filter is asked for", () => {
  const filter = {
    ...NO_FILTER,
    search: "dead lock",
    groups: ["errors", "warnings"],
    node: "member-1",
    range: "60",
  };
  expect(queryOf(filter, NOW)).toEqual({
    search: ["dead", "lock"],
    severities: ["ERROR", "FATAL", "PANIC", "WARNING"],
    node: "member-1",
    since: "2026-11-21T08:00:00.000Z",
  });
});

test("moments are of the viewer's zone, and one that is not complete yet bounds nothing", () => {
  const filter = { ...NO_FILTER, range: "custom", from: "2026-11-21T08:00", to: "" };
  expect(queryOf(filter, NOW)).toEqual({ since: new Date("2026-11-21T08:00").toISOString() });
  expect(queryOf({ ...NO_FILTER, from: "2026-11-21T08:00" }, NOW)).toEqual({});
});
