import { expect, test } from "vitest";
import { createSlots } from "./slots.ts";

const take = (
  slots: ReturnType<typeof createSlots>,
  count: number,
  of: (index: number) => [string, string],
) => Array.from({ length: count }, (_, index) => slots.take(...of(index)));

test.each([
  ["of this service", 8, (index: number): [string, string] => ["a", `key ${index}`]],
  ["with this API key", 8, (index: number): [string, string] => [`service ${index}`, "a"]],
  ["in all", 50, (index: number): [string, string] => [`service ${index}`, `key ${index}`]],
])("queries %s have a bound, and one that has ended makes room", (words, most, of) => {
  const slots = createSlots();
  const [first] = take(slots, most, of);
  expect(() => slots.take(...of(most))).toThrow(`${most} queries ${words} are running already`);
  first?.();
  expect(() => slots.take(...of(most))).not.toThrow();
  expect(() => slots.take(...of(most + 1))).toThrow(words);
});
