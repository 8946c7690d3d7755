/** Replicas in rows below the primary, for screens on which they do not stand beside it. Pure. */
import {
  ACCESS,
  type Box,
  bottom,
  CHAIN,
  CLIENTS,
  DOWN,
  ENTRY,
  GAP,
  gapsFor,
  MEMBER,
  middleOf,
  right,
  times,
} from "./boxes.ts";
import type { LayoutInput, OwnLayout } from "./layout.ts";
import { linesAcross } from "./lines-across.ts";
import { type Point, routeThrough } from "./path.ts";

/** Left of the rows, for the trunk. */
const GUTTER = { line: 12, width: 28 };
/** Above each row; the words of its lines stand in it. */
const ROW_GAP = 46;
/** Below what is above a row, where its lines part. */
const BUS = 16;
const MORE_WIDTH = 52;

type Chain = Omit<OwnLayout, "followers" | "lines" | "trunk"> & {
  /** Where the trunk leaves what it comes from, and the line down which it goes first. */
  readonly anchor: { readonly points: readonly Point[]; readonly x: number };
};

export function layOutBelow(input: LayoutInput): OwnLayout {
  const chain = input.width >= CHAIN ? chainAcross(input) : chainDown(input);
  const { anchor, leads, ...way } = chain;
  const source = chain.leader ?? chain.gateway;
  const floor = Math.max(bottom(source), chain.pooler ? bottom(chain.pooler) : 0);
  const [followers, columns] = rows(input, way.shape, floor);
  const start = [...anchor.points, { x: anchor.x, y: floor + BUS }];
  const lines = followers.map((box, index) => {
    const bus = box.y - ROW_GAP + BUS;
    const aside = [
      { x: GUTTER.line, y: floor + BUS },
      { x: GUTTER.line, y: bus },
    ];
    const entry = box.x + ENTRY;
    const end = [
      { x: entry, y: bus },
      { x: entry, y: box.y },
    ];
    return {
      path: routeThrough([...start, ...(index < columns ? [] : aside), ...end]),
      label: { x: entry + 12, y: box.y - 27, width: box.width - ENTRY - 16, height: 22 },
    };
  });
  return {
    ...way,
    followers,
    leads: input.leader ? leads : lines.map(({ path }) => path),
    lines: input.leader ? lines : [],
    trunk: {
      beginning: [...start, { x: GUTTER.line, y: floor + BUS }],
      x: GUTTER.line,
      left: GUTTER.width,
      right: input.width,
    },
  };
}

/** In as many columns as there is room for. */
function rows({ width, followers }: LayoutInput, shape: OwnLayout["shape"], floor: number): [Box[], number] {
  const room = width - GUTTER.width;
  const columns = Math.max(1, Math.min(followers, Math.floor((room + GAP) / (MEMBER.width + GAP))));
  const share = (room + GAP) / columns - GAP;
  const cell = shape === "narrow" ? share : Math.min(share, MEMBER.width + MORE_WIDTH);
  const boxes = times(followers, (index) => ({
    x: GUTTER.width + (index % columns) * (cell + GAP),
    y: floor + ROW_GAP + Math.floor(index / columns) * (MEMBER.height + ROW_GAP),
    width: cell,
    height: MEMBER.height,
  }));
  return [boxes, columns];
}

function chainAcross({ width, leader, pooler }: LayoutInput): Chain {
  const gaps = gapsFor(width, CHAIN);
  const clients = { x: 0, y: (MEMBER.height - CLIENTS.height) / 2, ...CLIENTS };
  const gateway = { x: right(clients) + gaps[0], y: (MEMBER.height - ACCESS.height) / 2, ...ACCESS };
  const x = right(gateway) + gaps[1];
  const member = { x, y: 0, width: Math.min(width - x, MEMBER.width + MORE_WIDTH), height: MEMBER.height };
  const parts = {
    clients,
    gateway,
    pooler: pooler ? { ...gateway, y: bottom(gateway) + DOWN } : null,
    leader: leader ? member : null,
  };
  // A set's pooler stands below its gateway: the line leaves at the side.
  const beside = right(gateway) + ENTRY;
  const points = [
    { x: right(gateway), y: middleOf(gateway) },
    { x: beside, y: middleOf(gateway) },
  ];
  const below = x + member.width / 2;
  const anchor = leader ? { points: [{ x: below, y: bottom(member) }], x: below } : { points, x: beside };
  return { shape: "middle", ...parts, ...linesAcross({ ...parts, followers: [] }), anchor };
}

function chainDown({ width, leader, pooler }: LayoutInput): Chain {
  const indent = 44;
  const clients = { x: 0, y: 0, width, height: 44 };
  const gateway = { x: 0, y: bottom(clients) + DOWN, width, height: ACCESS.height };
  const pool = { ...gateway, x: indent, width: width - indent, y: bottom(gateway) + DOWN };
  const member = { x: 0, y: bottom(pooler ? pool : gateway) + DOWN, width, height: MEMBER.height };
  const drop = (from: Box, to: Box, x: number) =>
    routeThrough([
      { x, y: bottom(from) },
      { x, y: to.y },
    ]);
  return {
    shape: "narrow",
    clients,
    gateway,
    pooler: pooler ? pool : null,
    leader: leader ? member : null,
    access: drop(clients, gateway, ENTRY),
    leads: leader ? [drop(gateway, member, ENTRY)] : [],
    toPooler: pooler ? drop(gateway, pool, indent + ENTRY) : null,
    fromPooler: pooler && leader ? drop(pool, member, indent + ENTRY) : null,
    anchor: { points: [{ x: GUTTER.line, y: bottom(leader ? member : gateway) }], x: GUTTER.line },
  };
}
