/** Which part of the audit: up to now, or between two moments. Pure. */
import { momentFrom } from "../../data/time-range.ts";

export type Range =
  | { readonly kind: "last"; readonly hours: number }
  /** As `datetime-local` inputs write them; empty: no bound. */
  | { readonly kind: "between"; readonly from: string; readonly to: string };

export const LAST = [
  { hours: 1, title: "The last hour" },
  { hours: 24, title: "The last 24 hours" },
  { hours: 24 * 7, title: "The last 7 days" },
  { hours: 24 * 30, title: "The last 30 days" },
] as const;

const HOUR_MS = 3_600_000;

/** As the API takes it. */
export function rangeOf(range: Range, now: Date): { readonly since?: string; readonly until?: string } {
  if (range.kind === "last") return { since: new Date(now.getTime() - range.hours * HOUR_MS).toISOString() };
  const since = momentFrom(range.from);
  const until = momentFrom(range.to);
  return { ...(since === null ? {} : { since }), ...(until === null ? {} : { until }) };
}
