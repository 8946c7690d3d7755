/**
 * Where everything of a service stands, and how the lines run. Pure; CSS pixels.
 *
 * wide: from left to right, replicas beside the primary. middle: the way in from left to right, replicas below. narrow:
 * everything below one another. A trunk leads from the primary to what stands below it.
 */
import { type Box, bottom, times, WIDE } from "./boxes.ts";
import { layOutBelow } from "./layout-below.ts";
import { layOutWide } from "./layout-wide.ts";
import { type Point, routeThrough } from "./path.ts";

export interface LayoutInput {
  readonly width: number;
  /** A read replica set has no primary of its own: its nodes stand behind the gateway. */
  readonly leader: boolean;
  readonly followers: number;
  readonly pooler: boolean;
  /** How many nodes each read replica set has. */
  readonly sets: readonly number[];
}

export interface FollowerLine {
  readonly path: string;
  /** Room for the line's words. */
  readonly label: Box;
}

export interface SetBox {
  readonly box: Box;
  readonly nodes: readonly Box[];
  readonly path: string;
}

/** The service's own members, and the way to them. */
export interface OwnLayout {
  readonly shape: "wide" | "middle" | "narrow";
  readonly clients: Box;
  readonly gateway: Box;
  readonly pooler: Box | null;
  readonly leader: Box | null;
  readonly followers: readonly Box[];
  readonly access: string;
  /** From the gateway to the primary, or to each node of a set. */
  readonly leads: readonly string[];
  readonly toPooler: string | null;
  readonly fromPooler: string | null;
  readonly lines: readonly FollowerLine[];
  readonly trunk: Trunk;
}

export interface Trunk {
  /** From the primary to where the trunk goes straight down. */
  readonly beginning: readonly Point[];
  readonly x: number;
  /** Between which edges the sets stand. */
  readonly left: number;
  readonly right: number;
}

export interface Layout extends OwnLayout {
  readonly height: number;
  readonly sets: readonly SetBox[];
}

const HEAD = 52;
const PADDING = 12;
const SET_GAP = 28;
const NODE = { width: 176, height: 58, gap: 8, alone: 260 };

export function layOut(input: LayoutInput): Layout {
  const own = input.width >= WIDE ? layOutWide(input) : layOutBelow(input);
  const { clients, gateway, pooler, leader, followers } = own;
  const boxes = [clients, gateway, ...(pooler ? [pooler] : []), ...(leader ? [leader] : []), ...followers];
  const sets = layOutSets(input.sets, own.trunk, Math.max(...boxes.map(bottom)));
  return { ...own, sets, height: Math.max(...[...boxes, ...sets.map(({ box }) => box)].map(bottom)) };
}

function layOutSets(sets: readonly number[], trunk: Trunk, start: number): SetBox[] {
  const width = trunk.right - trunk.left;
  let above = start;
  return sets.map((nodes) => {
    const set = layOutSet(nodes, { x: trunk.left, y: above + SET_GAP, width });
    above = bottom(set.box);
    const y = set.box.y + HEAD / 2;
    return { ...set, path: routeThrough([...trunk.beginning, { x: trunk.x, y }, { x: set.box.x, y }]) };
  });
}

function layOutSet(nodes: number, { x, y, width }: Omit<Box, "height">): Omit<SetBox, "path"> {
  const inner = width - 2 * PADDING;
  const fitting = Math.floor((inner + NODE.gap) / (NODE.width + NODE.gap));
  const columns = Math.max(1, Math.min(nodes, fitting));
  // Beside one another they fill the frame; one alone does not need it.
  const cell = columns === 1 ? Math.min(inner, NODE.alone) : (inner + NODE.gap) / columns - NODE.gap;
  const rows = Math.ceil(nodes / columns);
  const height = rows === 0 ? HEAD : HEAD + rows * (NODE.height + NODE.gap) - NODE.gap + PADDING;
  return {
    box: { x, y, width, height },
    nodes: times(nodes, (index) => ({
      x: x + PADDING + (index % columns) * (cell + NODE.gap),
      y: y + HEAD + Math.floor(index / columns) * (NODE.height + NODE.gap),
      width: cell,
      height: NODE.height,
    })),
  };
}
