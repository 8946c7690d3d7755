import { expect, test } from "vitest";
import { randomId } from "./ids.ts";

test("an id is 10 characters of [a-z0-9], and another one each time", () => {
  const ids = Array.from({ length: 1000 }, () => randomId());
  for (const id of ids) expect(id).toMatch(/^[a-z0-9]{10}$/);
  expect(new Set(ids).size).toBe(ids.length);
});

test("every character turns up, none much more often than another", () => {
  const counts = new Map<string, number>();
  for (const character of randomId(36_000)) counts.set(character, (counts.get(character) ?? 0) + 1);
  expect(counts.size).toBe(36);
  // 1000 expected each, standard deviation 31: eight of them never happen by chance.
  for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(250);
});
