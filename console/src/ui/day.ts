/** The day of a moment in the viewer's own zone, as people say it. */

const weekday = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long" });
const withYear = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "long", year: "numeric" });

/** @param at as the API writes it, RFC 3339 */
export function dayOf(at: string, now: Date): string {
  const date = new Date(at);
  const before = new Date(now);
  before.setDate(now.getDate() - 1);
  if (date.toDateString() === now.toDateString()) return "Today";
  if (date.toDateString() === before.toDateString()) return "Yesterday";
  return date.getFullYear() === now.getFullYear() ? weekday.format(date) : withYear.format(date);
}
