import { expect, test } from "vitest";
import { routeThrough } from "./path.ts";

test("a straight way is one line, whichever points it passes", () => {
  const points = [0, 10, 10, 40].map((x) => ({ x, y: 5 }));
  expect(routeThrough(points)).toBe("M0 5L40 5");
});

test("a corner is rounded", () => {
  const corner = [
    { x: 0, y: 0 },
    { x: 50, y: 0 },
    { x: 50, y: 50 },
  ];
  expect(routeThrough(corner)).toBe("M0 0L40 0Q50 0 50 10L50 50");
});

test("a corner is no rounder than its shorter side is long", () => {
  const corner = [
    { x: 0, y: 0 },
    { x: 50, y: 0 },
    { x: 50, y: 6 },
  ];
  expect(routeThrough(corner)).toBe("M0 0L47 0Q50 0 50 3L50 6");
});

test("nothing leads nowhere", () => {
  expect(routeThrough([])).toBe("");
});
