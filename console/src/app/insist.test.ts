import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { insist } from "./insist.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test("what could not be loaded is asked for again, until it is there", async () => {
  const load = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(new Error("dropped"))
    .mockResolvedValue("the page");
  const loaded = insist(load);
  await vi.runAllTimersAsync();
  expect(await loaded).toBe("the page");
  expect(load).toHaveBeenCalledTimes(2);
});

test("what is not there at all is given up, with the reason", async () => {
  const load = vi.fn<() => Promise<string>>().mockRejectedValue(new Error("no such file"));
  const outcome = insist(load).catch(String);
  await vi.runAllTimersAsync();
  expect(await outcome).toBe("Error: no such file");
  expect(load).toHaveBeenCalledTimes(6);
});
