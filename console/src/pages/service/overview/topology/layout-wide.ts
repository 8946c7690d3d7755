/** From left to right, replicas beside the primary. Pure. */
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
  moved,
  right,
  times,
  WIDE,
} from "./boxes.ts";
import type { FollowerLine, LayoutInput, OwnLayout } from "./layout.ts";
import { linesAcross } from "./lines-across.ts";
import { routeThrough } from "./path.ts";

/** More replicas than this are drawn lower. */
const ROOMY = 4;
const LOW = 64;
/** Right of the primary, where the lines part. */
const BUS = 28;

export function layOutWide(input: LayoutInput): OwnLayout {
  const { width, leader, followers, sets } = input;
  const placed = place(input);
  // Sets need the room that would be a margin.
  const centred = sets.length === 0 || followers > 0;
  const end = right(placed.followers[0] ?? placed.leader ?? placed.gateway);
  const margin = centred ? Math.max(0, (width - end) / 2) : 0;
  const parts = {
    clients: moved(placed.clients, margin),
    gateway: moved(placed.gateway, margin),
    pooler: placed.pooler && moved(placed.pooler, margin),
    leader: leader ? moved(placed.leader, margin) : null,
    followers: placed.followers.map((box) => moved(box, margin)),
  };
  const source = parts.leader ?? parts.gateway;
  const x = source.x + ENTRY;
  return {
    shape: "wide",
    ...parts,
    ...linesAcross(parts),
    lines: parts.leader ? fan(parts.leader, parts.followers) : [],
    trunk: {
      beginning: [{ x, y: bottom(source) }],
      x,
      left: x + ENTRY,
      right: centred ? end + margin : width,
    },
  };
}

function place({ width, leader, followers, pooler }: LayoutInput) {
  const gaps = gapsFor(width, leader && followers > 0 ? WIDE : CHAIN);
  const height = followers > ROOMY ? LOW : MEMBER.height;
  const column = Math.max(0, followers * (height + GAP) - GAP);
  const middle = Math.max(column, MEMBER.height) / 2;
  const clients = { x: 0, y: middle - CLIENTS.height / 2, ...CLIENTS };
  const gateway = { x: right(clients) + gaps[0], y: middle - ACCESS.height / 2, ...ACCESS };
  const behind = right(gateway) + gaps[1];
  return {
    clients,
    gateway,
    pooler: pooler ? { ...gateway, y: bottom(gateway) + DOWN } : null,
    leader: { ...MEMBER, x: behind, y: middle - MEMBER.height / 2 },
    followers: times(followers, (index) => ({
      x: leader ? behind + MEMBER.width + gaps[2] : behind,
      y: middle - column / 2 + index * (height + GAP),
      width: MEMBER.width,
      height,
    })),
  };
}

/** Words stand above and below the last straight part of each line. */
function fan(leader: Box, followers: readonly Box[]): readonly FollowerLine[] {
  const bus = right(leader) + BUS;
  return followers.map((box) => ({
    path: routeThrough([
      { x: right(leader), y: middleOf(leader) },
      { x: bus, y: middleOf(leader) },
      { x: bus, y: middleOf(box) },
      { x: box.x, y: middleOf(box) },
    ]),
    label: { x: bus + 6, y: middleOf(box) - 20, width: box.x - bus - 20, height: 40 },
  }));
}
