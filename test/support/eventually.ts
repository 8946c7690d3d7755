import { vi } from "vitest";

/** Long enough for a machine that has other things to do; whoever waits for what never comes fails all the same. */
const PATIENCE_MS = 30_000;
const LOOK_EVERY_MS = 10;

/** Looks again and again until it throws nothing any more, and returns what it then did. */
export function eventually<T>(look: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(look, { timeout: PATIENCE_MS, interval: LOOK_EVERY_MS });
}
