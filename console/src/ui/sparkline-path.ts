/** The lines of a small chart, in a box of WIDTH by HEIGHT. Pure. */

export const WIDTH = 100;
export const HEIGHT = 28;

export interface Lines {
  readonly stroke: string;
  readonly area: string;
}

/**
 * Gaps stay gaps: what was not measured is not drawn.
 *
 * @param ceiling at the top of the box; what is higher is drawn there
 */
export function linesOf(values: readonly (number | null)[], ceiling: number): Lines {
  const step = WIDTH / Math.max(1, values.length - 1);
  const height = (value: number) => HEIGHT - (Math.min(value, ceiling) / Math.max(ceiling, 1e-9)) * HEIGHT;
  const runs: { x: number; y: number }[][] = [];
  let run: { x: number; y: number }[] = [];
  for (const [index, value] of values.entries()) {
    if (value === null) run = [];
    else {
      if (run.length === 0) runs.push(run);
      run.push({ x: round(index * step), y: round(height(value)) });
    }
  }
  return {
    stroke: runs.map(path).join(""),
    area: runs.map((points) => `${path(points)}V${HEIGHT}H${points[0]?.x ?? 0}Z`).join(""),
  };
}

function path(points: readonly { x: number; y: number }[]): string {
  const [first, ...rest] = points;
  if (!first) return "";
  // A single point is drawn as a short line, or it would not be seen.
  const line = rest.length === 0 ? `h1` : rest.map(({ x, y }) => `L${x} ${y}`).join("");
  return `M${first.x} ${first.y}${line}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
