import { describe, expect, test } from "vitest";
import type { Box } from "./boxes.ts";
import { type Layout, type LayoutInput, layOut } from "./layout.ts";

const WIDTHS = [280, 326, 520, 696, 905, 906, 1_232];

const EVERYTHING: readonly LayoutInput[] = WIDTHS.flatMap((width) =>
  [true, false].flatMap((pooler) =>
    [0, 1, 2, 4, 5, 8].flatMap((followers) =>
      [[], [1], [8, 1, 2], Array.from({ length: 8 }, () => 2)].flatMap((sets) => [
        { width, leader: true, followers, pooler, sets },
        // A read replica set has neither a primary nor sets of its own.
        ...(sets.length === 0 ? [{ width, leader: false, followers, pooler, sets }] : []),
      ]),
    ),
  ),
);

function boxesOf(layout: Layout): readonly Box[] {
  const { clients, gateway, pooler, leader, followers, sets } = layout;
  const own = [clients, gateway, pooler, leader, ...followers].filter((box) => box !== null);
  return [...own, ...sets.map(({ box }) => box)];
}

function overlap(one: Box, other: Box): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}

function holds(outer: Box, inner: Box): boolean {
  const tolerance = 0.01;
  return (
    inner.x >= outer.x - tolerance &&
    inner.y >= outer.y - tolerance &&
    inner.x + inner.width <= outer.x + outer.width + tolerance &&
    inner.y + inner.height <= outer.y + outer.height + tolerance
  );
}

/** Where a line begins and ends. */
function endsOf(path: string): { readonly from: readonly number[]; readonly to: readonly number[] } {
  const numbers = path.match(/-?[\d.]+/g)?.map(Number) ?? [];
  return { from: numbers.slice(0, 2), to: numbers.slice(-2) };
}

/** A point on the edge of a box. */
function touches([x = 0, y = 0]: readonly number[], box: Box): boolean {
  const near = (one: number, other: number) => Math.abs(one - other) < 0.2;
  const within = x >= box.x - 0.2 && x <= box.x + box.width + 0.2 && y >= box.y - 0.2 && y <= box.y + box.height + 0.2;
  const edge = near(x, box.x) || near(x, box.x + box.width) || near(y, box.y) || near(y, box.y + box.height);
  return within && edge;
}

describe("whatever a service has, at every width", () => {
  test("nothing lies upon anything else", () => {
    for (const input of EVERYTHING) {
      const boxes = boxesOf(layOut(input));
      const upon = boxes.flatMap((box, index) => boxes.slice(index + 1).filter((other) => overlap(box, other)));
      expect(upon, JSON.stringify(input)).toEqual([]);
    }
  });

  test("everything is inside the picture, and nodes of a set inside its frame", () => {
    for (const input of EVERYTHING) {
      const layout = layOut(input);
      const picture = { x: 0, y: 0, width: input.width, height: layout.height };
      const words = layout.lines.map(({ label }) => label);
      const outside = [...boxesOf(layout), ...words].filter((box) => !holds(picture, box));
      expect(outside, JSON.stringify(input)).toEqual([]);
      for (const { box, nodes } of layout.sets)
        expect(nodes.filter((node) => !holds(box, node)), JSON.stringify(input)).toEqual([]);
    }
  });

  test("every line begins and ends at what it connects", () => {
    for (const input of EVERYTHING) {
      const layout = layOut(input);
      const { clients, gateway, pooler, leader, followers, sets } = layout;
      const connected: [string, Box, Box][] = [[layout.access, clients, gateway]];
      if (leader) connected.push([layout.leads[0] ?? "", gateway, leader]);
      for (const [index, box] of followers.entries())
        connected.push([(leader ? layout.lines[index]?.path : layout.leads[index]) ?? "", leader ?? gateway, box]);
      for (const { path, box } of sets) connected.push([path, leader ?? gateway, box]);
      if (pooler) connected.push([layout.toPooler ?? "", gateway, pooler]);
      if (pooler && leader) connected.push([layout.fromPooler ?? "", pooler, leader]);
      for (const [path, source, target] of connected) {
        const { from, to } = endsOf(path);
        expect(touches(from, source), `${path} from ${JSON.stringify({ source, input })}`).toBe(true);
        expect(touches(to, target), `${path} to ${JSON.stringify({ target, input })}`).toBe(true);
      }
    }
  });

  test("there is room for all members", () => {
    for (const input of EVERYTHING) {
      const { followers, leader, sets, pooler } = layOut(input);
      expect([followers.length, leader !== null, pooler !== null, sets.map(({ nodes }) => nodes.length)]).toEqual([
        input.followers,
        input.leader,
        input.pooler,
        input.sets,
      ]);
    }
  });
});

test("replicas stand beside the primary where there is room, else below it", () => {
  const input = { leader: true, followers: 2, pooler: false, sets: [] };
  const wide = layOut({ ...input, width: 1_200 });
  const middle = layOut({ ...input, width: 700 });
  const narrow = layOut({ ...input, width: 326 });
  expect([wide.shape, middle.shape, narrow.shape]).toEqual(["wide", "middle", "narrow"]);
  const belowPrimary = ({ leader, followers }: Layout) =>
    followers.every((box) => leader !== null && box.y >= leader.y + leader.height);
  expect([wide, middle, narrow].map(belowPrimary)).toEqual([false, true, true]);
});
