/** A moment in the viewer's own zone: how long ago, and exactly when it was on hover. */
import { Tooltip } from "@mantine/core";
import { useSyncExternalStore } from "react";
import { now as clock } from "../session/clock.ts";

const TICK_MS = 10_000;
const exact = new Intl.DateTimeFormat(undefined, {
  dateStyle: "medium",
  timeStyle: "medium",
});
const zone = new Intl.DateTimeFormat(undefined, { timeZoneName: "short" });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto", style: "short" });

const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** @param at as the API writes it, RFC 3339 */
export function Moment({ at }: { at: string }) {
  const now = useNow();
  return (
    <Tooltip label={exactly(at)}>
      <time dateTime={at}>{ago(at, now)}</time>
    </Tooltip>
  );
}

/** Date, time and zone, as the viewer writes them. */
export function exactly(at: string): string {
  const date = new Date(at);
  const name = zone.formatToParts(date).find(({ type }) => type === "timeZoneName")?.value ?? "";
  return `${exact.format(date)} ${name}`;
}

export function ago(at: string, now: number): string {
  const seconds = Math.round((Date.parse(at) - now) / 1_000);
  for (const [unit, size] of UNITS)
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  return Math.abs(seconds) < 10 ? "just now" : relative.format(seconds, "second");
}

let now = clock();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | null = null;

/** One clock for all that is on the screen. */
function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = clock();
    for (const each of listeners) each();
  }, TICK_MS);
  if (listeners.size === 1) now = clock();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || !timer) return;
    clearInterval(timer);
    timer = null;
  };
}
