/** Moments on a chart's axis, in the viewer's zone and words. */

const time = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });

const DAY_S = 86_400;

/**
 * Midnight is told by its day.
 *
 * @param moments seconds of the epoch
 * @param step between them, in seconds
 */
export function timeLabels(moments: readonly number[], step: number): string[] {
  return moments.map((seconds) => {
    const date = new Date(seconds * 1_000);
    const midnight = date.getHours() === 0 && date.getMinutes() === 0;
    return step >= DAY_S || midnight ? day.format(date) : time.format(date);
  });
}
