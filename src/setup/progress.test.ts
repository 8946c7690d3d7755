import { expect, onTestFinished, test, vi } from "vitest";
import { createProgress } from "./progress.ts";

function collector(terminal: boolean) {
  const written: string[] = [];
  return { isTTY: terminal, columns: 60, written, write: (text: string) => written.push(text) };
}

test("a terminal gets one line that is redrawn and ends in a tick", async () => {
  const output = collector(true);
  const result = await createProgress({ output, color: false, now: () => 0 }).step("Step", async (report) => {
    report("busy");
    return 7;
  });
  expect(result).toBe(7);
  expect(output.written.at(-1)).toContain("✔ Step (0.0 s)\n");
  expect(output.written.slice(0, -1).join("")).not.toContain("\n");
});

test("without a terminal there is a line at the start, at most one in five seconds, and one at the end", async () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const output = collector(false);
  await createProgress({ output, color: true, now: () => Date.now() }).step("Step", async (report) => {
    for (let second = 0; second < 12; second += 1) {
      report(`at ${second}`);
      await vi.advanceTimersByTimeAsync(1_000);
    }
  });
  expect(output.written).toEqual(["Step …\n", "  5.0 s  at 4\n", "  10 s  at 9\n", "Step: done in 12 s\n"]);
});

test("a step that fails is shown as failed and its error goes on", async () => {
  const output = collector(false);
  const step = createProgress({ output, color: false }).step("Step", () =>
    Promise.reject(new Error("no room")),
  );
  await expect(step).rejects.toThrow("no room");
  expect(output.written.at(-1)).toMatch(/^Step: failed in /);
});
