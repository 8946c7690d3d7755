import { describe, expect, it } from "vitest";
import { createTally } from "./workload.ts";

function tallyOnAClock() {
  let time = 0;
  const tally = createTally(() => time);
  return { tally, at: (ms: number) => (time = ms) };
}

describe("a workload's tally", () => {
  it("finds the longest time between two answers", () => {
    const { tally, at } = tallyOnAClock();
    for (const ms of [5, 10, 60, 65]) {
      at(ms);
      tally.succeeded();
    }
    expect(tally.result()).toEqual({ succeeded: 4, failed: 0, failedConnections: 0, longestGapMs: 50 });
  });

  it("does not take an error for an answer", () => {
    const { tally, at } = tallyOnAClock();
    at(5);
    tally.succeeded();
    at(10);
    tally.failed();
    at(30);
    tally.connectionFailed();
    at(105);
    tally.succeeded();
    expect(tally.result()).toEqual({ succeeded: 2, failed: 1, failedConnections: 1, longestGapMs: 100 });
  });

  it("counts an interruption that has not ended yet", () => {
    const { tally, at } = tallyOnAClock();
    at(5);
    tally.succeeded();
    at(905);
    expect(tally.result().longestGapMs).toBe(900);
  });

  it("forgets at a reset what was before, but not when the last answer came", () => {
    const { tally, at } = tallyOnAClock();
    at(500);
    tally.succeeded();
    tally.failed();
    at(520);
    tally.reset();
    at(540);
    tally.succeeded();
    expect(tally.result()).toEqual({ succeeded: 1, failed: 0, failedConnections: 0, longestGapMs: 40 });
  });
});
