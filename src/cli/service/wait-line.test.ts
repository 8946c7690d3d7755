import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { WaitProgress } from "../../client/index.ts";
import { startWaitLine } from "./wait-line.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function collector(terminal: boolean) {
  const written: string[] = [];
  return { isTTY: terminal, columns: 60, written, write: (text: string) => written.push(text) };
}

const look = (more: Partial<WaitProgress> & { messages?: string[] }): WaitProgress => ({
  status: "CONFIGURING",
  reason: "No member takes writes.",
  problem: null,
  ...more,
  events: (more.messages ?? []).map((message, index) => ({
    id: String(index),
    at: "2026-06-01T00:00:00Z",
    type: "service.step",
    actor: "howdah",
    message,
    data: {},
  })),
});

test("a terminal gets one line, which always tells the latest step", () => {
  const output = collector(true);
  const line = startWaitLine({ output, color: false, name: "orders" });
  line.tell(look({ messages: ["Making the network.", "Creating member 0."] }));
  vi.advanceTimersByTime(1_100);
  expect(output.written.at(-1)).toMatch(/orders CONFIGURING \(1 s\) {2}Creating member 0\.$/);
  line.tell(look({}));
  vi.advanceTimersByTime(200);
  expect(output.written.at(-1)).toContain("Creating member 0.");
  line.end("done", "orders is READY");
  expect(output.written.at(-1)).toContain("✔ orders is READY (1.3 s)\n");
  expect(output.written.slice(0, -1).join("")).not.toContain("\n");
  const count = output.written.length;
  vi.advanceTimersByTime(1_000);
  expect(output.written).toHaveLength(count);
});

test("before there is a step, the line tells why the service is not there yet", () => {
  const output = collector(true);
  startWaitLine({ output, color: false, name: "orders" }).tell(look({}));
  vi.advanceTimersByTime(100);
  expect(output.written.at(-1)).toContain("No member takes writes.");
});

test("elsewhere there is a line for each step, and one at the end", () => {
  const output = collector(false);
  const line = startWaitLine({ output, color: true, name: "orders" });
  line.tell(look({ messages: ["Making the network.", "Creating member 0."] }));
  vi.advanceTimersByTime(2_000);
  line.tell(look({}));
  line.end("done", "orders is READY");
  expect(output.written).toEqual([
    " 0.0 s  Making the network.\n",
    " 0.0 s  Creating member 0.\n",
    " 2.0 s  orders is READY.\n",
  ]);
});

test("that the API is away is told once, until it answers again", () => {
  const output = collector(false);
  const line = startWaitLine({ output, color: false, name: "orders" });
  for (const problem of ["cannot reach it", "cannot reach it", null, "cannot reach it"])
    line.tell(look({ problem }));
  expect(output.written).toHaveLength(2);
});
