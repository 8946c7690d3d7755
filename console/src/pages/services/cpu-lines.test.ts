import { expect, test } from "vitest";
import { linesOf } from "./cpu-lines.ts";

const at = "2026-11-21T09:00:00.000Z";
const series = (service_id: string, node: string, ...values: (number | null)[]) => ({
  labels: { service_id, node, role: "primary" },
  data: values.map((value) => ({ time: at, value })),
});

test("those that led one after another make one line, and a gap stays a gap", () => {
  expect(
    linesOf(
      ["a", "b"],
      [
        series("a", "member-0", 10, 20, null, null),
        series("a", "member-1", null, 5, null, 30),
        series("b", "member-0", null, 1, 2, 3),
      ],
    ),
  ).toEqual({ a: [10, 20, null, 30], b: [null, 1, 2, 3] });
});

test("one of which nothing was measured has an empty line", () => {
  expect(linesOf(["a", "new"], [series("a", "member-0", 10)])).toEqual({ a: [10], new: [] });
});
