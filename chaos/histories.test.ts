import { expect, test } from "vitest";
import { readHistories, switchOf } from "./histories.ts";

const PRINTED = `== 00000002.history
1\t0/3000158\tno recovery target specified

== 0000000A.history
1\t0/3000158\tno recovery target specified

2\t1/10\tbefore 2000-01-01 00:00:00+00

`;

test("histories are read as PostgreSQL writes them, timelines in hexadecimal in names alone", () => {
  const first = { timeline: 1, lsn: 0x3000158 };
  expect(readHistories(3, PRINTED)).toEqual([
    { member: 3, timeline: 2, switches: [first] },
    { member: 3, timeline: 10, switches: [first, { timeline: 2, lsn: 2 ** 32 + 0x10 }] },
  ]);
});

test("the end of a timeline is told by any history that has it", () => {
  const histories = readHistories(0, PRINTED);
  expect(switchOf(histories, 2)).toBe(2 ** 32 + 16);
  expect(switchOf(histories, 10)).toBeNull();
});

test("a member without a history has none", () => {
  expect(readHistories(0, "")).toEqual([]);
});
