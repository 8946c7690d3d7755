/** A moment in the viewer's own zone: how long ago, and exactly when it was on hover. */
import { Tooltip } from "@mantine/core";
import { useSyncExternalStore } from "react";
import { now as clock } from "../session/clock.ts";
import { ago, until } from "./time-words.ts";

const TICK_MS = 10_000;
const exact = new Intl.DateTimeFormat(undefined, {
  dateStyle: "medium",
  timeStyle: "medium",
});
const zone = new Intl.DateTimeFormat(undefined, { timeZoneName: "short" });

export interface MomentProps {
  /** As the API writes it, RFC 3339. */
  readonly at: string;
  /** It is still to come; left out: it has been, whatever this machine's clock says. */
  readonly ahead?: boolean;
}

export function Moment({ at, ahead = false }: MomentProps) {
  const now = useNow();
  return (
    <Tooltip label={exactly(at)}>
      <time dateTime={at}>{ahead ? until(at, now) : ago(at, now)}</time>
    </Tooltip>
  );
}

/** Date, time and zone, as the viewer writes them. */
export function exactly(at: string): string {
  const date = new Date(at);
  const name = zone.formatToParts(date).find(({ type }) => type === "timeZoneName")?.value ?? "";
  return `${exact.format(date)} ${name}`;
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
