/** Lines that run along the axes, with rounded corners. Pure. */

export interface Point {
  readonly x: number;
  readonly y: number;
}

const RADIUS = 10;

/** What SVG draws to lead through all of them; each point is beside or below the one before. */
export function routeThrough(points: readonly Point[]): string {
  const corners = withoutStops(points);
  const [first, ...rest] = corners;
  if (!first) return "";
  const parts = rest.map((point, index) => {
    const before = corners[index];
    const after = corners[index + 2];
    return before && after ? turn(before, point, after) : `L${at(point)}`;
  });
  return [`M${at(first)}`, ...parts].join("");
}

/** Without those that a straight line passes anyway. */
function withoutStops(points: readonly Point[]): readonly Point[] {
  const distinct = points.filter((point, index) => index === 0 || !same(point, points[index - 1]));
  return distinct.filter((point, index) => {
    const [before, after] = [distinct[index - 1], distinct[index + 1]];
    if (!before || !after) return true;
    return !((before.x === point.x && point.x === after.x) || (before.y === point.y && point.y === after.y));
  });
}

function turn(before: Point, corner: Point, after: Point): string {
  const radius = Math.min(RADIUS, distance(before, corner) / 2, distance(corner, after) / 2);
  return `L${at(towards(corner, before, radius))}Q${at(corner)} ${at(towards(corner, after, radius))}`;
}

function towards(from: Point, to: Point, length: number): Point {
  return { x: from.x + Math.sign(to.x - from.x) * length, y: from.y + Math.sign(to.y - from.y) * length };
}

function distance(one: Point, other: Point): number {
  return Math.abs(one.x - other.x) + Math.abs(one.y - other.y);
}

function same(one: Point, other: Point | undefined): boolean {
  return one.x === other?.x && one.y === other.y;
}

function at({ x, y }: Point): string {
  return `${rounded(x)} ${rounded(y)}`;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
