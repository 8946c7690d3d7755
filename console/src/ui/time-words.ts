/** How far a moment is, in the viewer's own language. Pure. */

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto", style: "short" });

const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** Of what has been. A clock that lags behind does not put it into the future. */
export function ago(at: string, now: number): string {
  return distance(Math.min(0, secondsTo(at, now))) ?? "just now";
}

/** Of what is to come. A clock that runs ahead does not put it into the past. */
export function until(at: string, now: number): string {
  return distance(Math.max(0, secondsTo(at, now))) ?? "in a moment";
}

function secondsTo(at: string, now: number): number {
  return Math.round((Date.parse(at) - now) / 1_000);
}

/** null: too near for words that are renewed every ten seconds. */
function distance(seconds: number): string | null {
  for (const [unit, size] of UNITS)
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  return Math.abs(seconds) < 10 ? null : relative.format(seconds, "second");
}
