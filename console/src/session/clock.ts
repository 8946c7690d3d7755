/**
 * What time it is by the server's clock, which wrote down everything that pages show: a machine whose own clock is wrong by a
 * day would ask for the metrics of tomorrow.
 */

/** Of answers: they tell whole seconds, and take their time to arrive. */
const CLOSE_ENOUGH_MS = 5_000;

let aheadMs = 0;

/** Milliseconds of the epoch. */
export function now(): number {
  return Date.now() - aheadMs;
}

/** The browser's own, which learns from every answer what time it is. */
export async function timedFetch(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  learn(response.headers.get("date"), Date.now());
  return response;
}

/** @param told a Date header; null or something else: nothing is learnt */
export function learn(told: string | null, at: number): void {
  const ahead = at - Date.parse(told ?? "");
  if (!Number.isNaN(ahead)) aheadMs = Math.abs(ahead) < CLOSE_ENOUGH_MS ? 0 : ahead;
}
