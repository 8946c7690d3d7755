import { expect, test } from "vitest";
import { cleanDetail, renderDuration, renderEnd, renderLive, truncate } from "./progress-line.ts";

const LINE = {
  title: "Building the service image",
  detail: "step 3/7  Setting up patroni",
  elapsedMs: 12_345,
  frame: 0,
};

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
