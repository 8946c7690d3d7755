/** The way in, where it goes from left to right. Pure. */
import { type Box, bottom, middleOf, right } from "./boxes.ts";
import type { OwnLayout } from "./layout.ts";
import { routeThrough } from "./path.ts";

/** Left of what a line leads to, where it turns. */
const BUS = 22;

type Parts = Pick<OwnLayout, "clients" | "gateway" | "pooler" | "leader" | "followers">;

export function linesAcross({ clients, gateway, pooler, leader, followers }: Parts) {
  const x = gateway.x + gateway.width / 2;
  return {
    access: across(clients, gateway),
    leads: leader ? [across(gateway, leader)] : followers.map((box) => across(gateway, box)),
    toPooler:
      pooler &&
      routeThrough([
        { x, y: bottom(gateway) },
        { x, y: pooler.y },
      ]),
    fromPooler: pooler && leader && across(pooler, leader),
  };
}

function across(from: Box, to: Box): string {
  const bus = to.x - BUS;
  return routeThrough([
    { x: right(from), y: middleOf(from) },
    { x: bus, y: middleOf(from) },
    { x: bus, y: middleOf(to) },
    { x: to.x, y: middleOf(to) },
  ]);
}
