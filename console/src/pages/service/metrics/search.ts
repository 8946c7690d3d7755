/** Which time and which nodes are looked at, as the address keeps it. Pure. */
import type { TimeRange } from "../../../data/time-range.ts";

export interface MetricsSearch {
  /** One of the usual ranges. */
  readonly range?: string;
  /** RFC 3339; both, or neither. */
  readonly from?: string;
  readonly to?: string;
  /** Such as member-0; left out: all. */
  readonly node?: string;
}

const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;

/** In the order in which they are offered. */
export const RANGES = [
  { id: "1h", title: "1 h", words: "The last hour", seconds: HOUR_S },
  { id: "6h", title: "6 h", words: "The last 6 hours", seconds: 6 * HOUR_S },
  { id: "24h", title: "24 h", words: "The last 24 hours", seconds: DAY_S },
  { id: "7d", title: "7 d", words: "The last 7 days", seconds: 7 * DAY_S },
  { id: "30d", title: "30 d", words: "The last 30 days", seconds: 30 * DAY_S },
] as const;

/** What is understood of an address that somebody may have typed. */
export function metricsSearch(search: Readonly<Record<string, unknown>>): MetricsSearch {
  const { range, from, to, node } = search;
  return {
    ...(RANGES.some(({ id }) => id === range) ? { range: String(range) } : {}),
    ...(isMoment(from) && isMoment(to) && from < to ? { from, to } : {}),
    ...(typeof node === "string" && node !== "" ? { node } : {}),
  };
}

/** The hour before now, where nothing else is asked for. */
export function rangeOf({ range, from, to }: MetricsSearch): TimeRange {
  if (from !== undefined && to !== undefined) return { kind: "between", from, to };
  const usual = RANGES.find(({ id }) => id === range) ?? RANGES[0];
  return { kind: "last", seconds: usual.seconds };
}

/** In UTC, as the console itself writes them: such texts are in the order of their moments. */
function isMoment(value: unknown): value is string {
  if (typeof value !== "string") return false;
  const time = Date.parse(value);
  return Number.isFinite(time) && new Date(time).toISOString() === value;
}

/** As a field of the browser for date and time has it, in the viewer's zone, to the minute. */
export function localFrom(moment: string): string {
  const date = new Date(moment);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
