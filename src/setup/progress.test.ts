import { expect, onTestFinished, test, vi } from "vitest";
import { cleanDetail, createProgress, renderDuration, renderEnd, renderLive, truncate } from "./progress.ts";

const LINE = {
  title: "Building the service image",
  detail: "step 3/7  Setting up patroni",
  elapsedMs: 12_345,
  frame: 0,
};

function collector(terminal: boolean) {
  const written: string[] = [];
  return { isTTY: terminal, columns: 60, written, write: (text: string) => written.push(text) };
}

test("a live line shows title, seconds and the latest detail", () => {
  expect(renderLive(LINE, 120, false)).toBe(
    "⠋ Building the service image (12 s)  step 3/7  Setting up patroni",
  );
});

test("a live line never fills a narrow terminal", () => {
  for (const columns of [10, 20, 40]) expect(renderLive(LINE, columns, false).length).toBeLessThan(columns);
});

test("colour is there only when wanted", () => {
  const line = { title: "Ready", outcome: "done", elapsedMs: 400 } as const;
  expect(renderEnd(line, 80, false)).toBe("✔ Ready (0.4 s)");
  expect(renderEnd(line, 80, true)).toBe("\u001b[32m✔\u001b[0m Ready (0.4 s)");
});

test("what is cut ends in an ellipsis, and no character is cut in half", () => {
  expect(truncate("abcdef", 6)).toBe("abcdef");
  expect(truncate("abcdef", 4)).toBe("abc…");
  expect(truncate("👩‍👩‍👧‍👦bc", 2)).toBe("👩‍👩‍👧‍👦…");
  expect(truncate("abc", 0)).toBe("");
});

test("escapes and control characters of other programs do not reach the terminal", () => {
  expect(cleanDetail("\u001b[32mGet:1\u001b[0m\r\n\tfoo \u001b]0;title\u0007bar")).toBe("Get:1 foo bar");
});

test("durations read as people say them", () => {
  expect([40, 9_949, 9_960, 59_400, 125_000].map(renderDuration)).toEqual([
    "0.0 s",
    "9.9 s",
    "10 s",
    "59 s",
    "2 min 5 s",
  ]);
});

test("a terminal gets one line that is redrawn and ends in a tick", async () => {
  const output = collector(true);
  const result = await createProgress({ output, color: false }).step("Step", async (report) => {
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
