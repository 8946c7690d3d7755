import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { learn, now } from "./clock.ts";

const NOON = Date.parse("2026-01-02T12:00:00Z");

beforeEach(() => {
  vi.useFakeTimers({ now: NOON });
});

afterEach(() => {
  learn(new Date().toUTCString(), Date.now());
  vi.useRealTimers();
});

describe("the clock", () => {
  it("follows the server's where this machine's is wrong by a day", () => {
    learn("Thu, 01 Jan 2026 12:00:00 GMT", Date.now());
    expect(now()).toBe(NOON - 86_400_000);
  });

  it("stays this machine's where both are the same but for the way of an answer", () => {
    learn("Fri, 02 Jan 2026 11:59:57 GMT", Date.now());
    expect(now()).toBe(NOON);
  });

  it("learns nothing from an answer that does not tell the time", () => {
    learn("Thu, 01 Jan 2026 12:00:00 GMT", Date.now());
    learn(null, Date.now());
    learn("soon", Date.now());
    expect(now()).toBe(NOON - 86_400_000);
  });

  it("comes back once this machine's clock is set right", () => {
    learn("Thu, 01 Jan 2026 12:00:00 GMT", Date.now());
    learn("Fri, 02 Jan 2026 12:00:00 GMT", Date.now());
    expect(now()).toBe(NOON);
  });
});
