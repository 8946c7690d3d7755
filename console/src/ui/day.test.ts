import { expect, test } from "vitest";
import { dayOf } from "./day.ts";

const now = new Date(2026, 10, 21, 0, 30);

test.each([
  [new Date(2026, 10, 21, 0, 5), "Today"],
  [new Date(2026, 10, 20, 23, 55), "Yesterday"],
  [new Date(2026, 10, 20, 0, 5), "Yesterday"],
])("%s is %s", (at, day) => {
  expect(dayOf(at.toISOString(), now)).toBe(day);
});

test("what is longer ago has its date, with the year where that is another", () => {
  const thisYear = dayOf(new Date(2026, 9, 3).toISOString(), now);
  expect(thisYear).toMatch(/3/);
  expect(thisYear).not.toMatch(/2026/);
  expect(dayOf(new Date(2025, 11, 31).toISOString(), now)).toMatch(/2025/);
});
