/** Rectangles in CSS pixels, y downwards, and the measures that all shapes of the picture share. Pure. */
import type { Point } from "./path.ts";

export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

export const CLIENTS = { width: 84, height: 60 };
/** Gateway and pooler. */
export const ACCESS = { width: 184, height: 76 };
export const MEMBER = { width: 208, height: 84 };
export const GAP = 12;
/** Between the parts of the way in, where they stand below one another. */
export const DOWN = 24;
/** How far inside a box's edge a line from above or below meets it. */
export const ENTRY = 20;

/** From left to right: clients, gateway, primary, replicas. */
const LEAST_GAPS = [32, 44, 150] as const;
const MOST_GAPS = [72, 96, 240] as const;
export const CHAIN = CLIENTS.width + LEAST_GAPS[0] + ACCESS.width + LEAST_GAPS[1] + MEMBER.width;
export const WIDE = CHAIN + LEAST_GAPS[2] + MEMBER.width;

/** What is left over widens the gaps, up to a point. */
export function gapsFor(width: number, least: number): readonly [number, number, number] {
  const spare = width - least;
  return [
    Math.min(MOST_GAPS[0], LEAST_GAPS[0] + spare * 0.2),
    Math.min(MOST_GAPS[1], LEAST_GAPS[1] + spare * 0.25),
    Math.min(MOST_GAPS[2], LEAST_GAPS[2] + spare * 0.45),
  ];
}

export function right({ x, width }: Box): number {
  return x + width;
}

export function bottom({ y, height }: Box): number {
  return y + height;
}

/** Halfway down. */
export function middleOf({ y, height }: Box): number {
  return y + height / 2;
}

export function moved(box: Box, x: number): Box {
  return { ...box, x: box.x + x };
}

export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
