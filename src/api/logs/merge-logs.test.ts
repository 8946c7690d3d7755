import { expect, test } from "vitest";
import type { LogPosition, MemberLog } from "../../lib/member-logs.ts";
import { mergeLogs } from "./merge-logs.ts";

const FILE = "postgresql-20261121-090000.json";

/** A member's log that was read: entries at these moments, newest first, at offsets that say their place from the end. */
function log(ordinal: number, moments: readonly number[], next: LogPosition | null = null): MemberLog {
  const entries = moments.map((atMs, index) => ({
    atMs,
    severity: "LOG",
    message: `${ordinal}.${index}`,
    user: null,
    database: null,
    pid: null,
    position: [FILE, 1_000 - index] as const,
  }));
  return { ordinal, entries, top: [FILE, 2_000], next };
}

const messages = ({ entries }: ReturnType<typeof mergeLogs>) => entries.map(({ message }) => message);

/** The same logs as a member reads them on the next page. */
function readOn(logs: readonly MemberLog[], before: ReadonlyMap<number, LogPosition>): MemberLog[] {
  return logs.map((one) => {
    const [file, offset] = before.get(one.ordinal) ?? ["", 0];
    return {
      ...one,
      entries: one.entries.filter(({ position }) => position[0] === file && position[1] < offset),
    };
  });
}

test("the newest of all members goes first, and each member's own order stays", () => {
  const page = mergeLogs([log(0, [50, 30, 10]), log(1, [40, 45, 20])], 10, new Map());
  expect(messages(page)).toEqual(["0.0", "1.0", "1.1", "0.1", "1.2", "0.2"]);
  expect(page.older).toBeNull();
});

test.each([1, 2, 3, 5])("pages of %i tell every entry once, also where moments are the same", (limit) => {
  const logs = [log(0, [9, 9, 9, 3, 3]), log(1, [9, 9, 3]), log(2, [3]), log(3, [])];
  const all = messages(mergeLogs(logs, 100, new Map()));
  const seen: string[] = [];
  let before: ReadonlyMap<number, LogPosition> = new Map();
  for (let page = mergeLogs(logs, limit, before); ; page = mergeLogs(readOn(logs, before), limit, before)) {
    seen.push(...messages(page));
    if (!page.older) break;
    before = page.older;
  }
  expect(seen).toEqual(all);
  expect(seen).toHaveLength(9);
});

test("a page ends where a member is not read to its end, for what comes there may be newer", () => {
  const logs = [log(0, [90, 80], [FILE, 500]), log(1, [85, 70])];
  const page = mergeLogs(logs, 10, new Map());
  expect(messages(page)).toEqual(["0.0", "1.0", "0.1"]);
  expect(page.older).toEqual(
    new Map([
      [0, [FILE, 500]],
      [1, [FILE, 1_000]],
    ]),
  );
});

test("a member of which nothing was taken is read on from where it was read, not from its end", () => {
  const logs = [log(0, [90, 80]), log(1, [10])];
  expect(mergeLogs(logs, 1, new Map()).older?.get(1)).toEqual([FILE, 2_000]);
  expect(mergeLogs(logs, 1, new Map([[1, [FILE, 1_500] as const]])).older?.get(1)).toEqual([FILE, 1_500]);
  const none = { ...log(2, []), top: null };
  expect(mergeLogs([...logs, none], 1, new Map()).older?.get(2)).toEqual(["", 0]);
});
