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
  const within =
    x >= box.x - 0.2 && x <= box.x + box.width + 0.2 && y >= box.y - 0.2 && y <= box.y + box.height + 0.2;
  const edge = near(x, box.x) || near(x, box.x + box.width) || near(y, box.y) || near(y, box.y + box.height);
  return within && edge;
}

/** What is wrong with any of them, with what was asked for. */
function faults(find: (layout: Layout, input: LayoutInput) => readonly unknown[]): readonly unknown[] {
  return EVERYTHING.flatMap((input) => {
    const found = find(layOut(input), input);
    return found.length === 0 ? [] : [{ input, found }];
  });
}

/** Each line with what it leads from and to. */
function connections(
  layout: Layout,
): readonly (readonly [path: string | null | undefined, from: Box, to: Box])[] {
  const { clients, gateway, pooler, leader, followers, sets, lines, leads } = layout;
  const source = leader ?? gateway;
  return [
    [layout.access, clients, gateway],
    ...(leader ? [[leads[0], gateway, leader] as const] : []),
    ...followers.map((box, index) => [leader ? lines[index]?.path : leads[index], source, box] as const),
    ...sets.map(({ path, box }) => [path, source, box] as const),
    ...(pooler ? [[layout.toPooler, gateway, pooler] as const] : []),
    ...(pooler && leader ? [[layout.fromPooler, pooler, leader] as const] : []),
  ];
}

describe("whatever a service has, at every width", () => {
  test("nothing lies upon anything else", () => {
    const upon = faults((layout) => {
      const boxes = boxesOf(layout);
      return boxes.flatMap((box, index) => boxes.slice(index + 1).filter((other) => overlap(box, other)));
    });
    expect(upon).toEqual([]);
  });

  test("everything is inside the picture, and nodes of a set inside its frame", () => {
    const outside = faults((layout, { width }) => {
      const picture = { x: 0, y: 0, width, height: layout.height };
      const words = layout.lines.map(({ label }) => label);
      return [
        ...[...boxesOf(layout), ...words].filter((box) => !holds(picture, box)),
        ...layout.sets.flatMap(({ box, nodes }) => nodes.filter((node) => !holds(box, node))),
      ];
    });
    expect(outside).toEqual([]);
  });

  test("every line begins and ends at what it connects", () => {
    const loose = faults((layout) =>
      connections(layout).filter(([path, from, to]) => {
        const ends = endsOf(path ?? "");
        return !touches(ends.from, from) || !touches(ends.to, to);
      }),
    );
    expect(loose).toEqual([]);
  });

  test("there is room for all members", () => {
    const missing = faults((layout, { followers, leader, pooler, sets }) => [
      ...(layout.followers.length === followers ? [] : ["replicas"]),
      ...((layout.leader !== null) === leader ? [] : ["primary"]),
      ...((layout.pooler !== null) === pooler ? [] : ["pooler"]),
      ...sets.filter((nodes, index) => layout.sets[index]?.nodes.length !== nodes),
    ]);
    expect(missing).toEqual([]);
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
