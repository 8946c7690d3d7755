import { type Clock, systemClock } from "../../lib/clock.ts";

/** A clock that also tells that time has passed. */
export interface SimulatedClock extends Clock {
  /** Calls again and again as time passes, until the signal aborts. */
  follow(passed: () => void, signal: AbortSignal): void;
}

const REAL_INTERVAL_MS = 200;

export const realTime: SimulatedClock = {
  now: () => systemClock.now(),
  follow(passed, signal) {
    if (signal.aborted) return;
    const timer = setInterval(passed, REAL_INTERVAL_MS).unref();
    signal.addEventListener("abort", () => clearInterval(timer), { once: true });
  },
};

/** Time that passes only when it is told to. */
export class VirtualClock implements SimulatedClock {
  #nowMs: number;
  readonly #followers = new Set<() => void>();

  constructor(start = new Date("2026-01-01T00:00:00Z")) {
    this.#nowMs = start.getTime();
  }

  now(): Date {
    return new Date(this.#nowMs);
  }

  advance(ms: number): void {
    this.#nowMs += ms;
    for (const passed of this.#followers) passed();
  }

  follow(passed: () => void, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#followers.add(passed);
    signal.addEventListener("abort", () => this.#followers.delete(passed), { once: true });
  }
}
