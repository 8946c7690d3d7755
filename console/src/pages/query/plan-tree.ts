/** What EXPLAIN (FORMAT JSON) says, as a tree with each step's own part of the whole. */
import { Type } from "typebox";
import { Value } from "typebox/value";

export interface PlanNode {
  /** Such as Hash Join or Seq Scan. */
  readonly kind: string;
  /** The table, index, function or subplan that it is about; empty where it is about none. */
  readonly subject: string;
  readonly depth: number;
  readonly estimatedRows: number;
  /** Of all its loops together; null where it was not run. */
  readonly actualRows: number | null;
  readonly loops: number | null;
  readonly cost: number;
  /** Without its children's. */
  readonly ownCost: number;
  /** Of all its loops, children included; null where it was not run, or nobody looked at the clock. */
  readonly ms: number | null;
  readonly ownMs: number | null;
  /** What it takes itself of the whole, of time, or where that is not known of cost; 0 to 1. */
  readonly share: number;
  /** How many times more or fewer rows came than was thought, where that is tenfold or more. */
  readonly misjudged: number | null;
  /** Whatever else is told of it: conditions, buffers, how it sorted. */
  readonly details: readonly (readonly [name: string, value: string])[];
}

export interface PlanTree {
  /** Each before its children. */
  readonly nodes: readonly PlanNode[];
  /** The step that takes the most; null where there is only one. */
  readonly worst: PlanNode | null;
  readonly measured: boolean;
  readonly planningMs: number | null;
  readonly executionMs: number | null;
}

const RawNode = Type.Record(Type.String(), Type.Unknown());
type RawNode = Record<string, unknown>;
const RawPlan = Type.Tuple([
  Type.Object({
    Plan: RawNode,
    "Planning Time": Type.Optional(Type.Number()),
    "Execution Time": Type.Optional(Type.Number()),
  }),
]);
const Children = Type.Array(RawNode);

/** null where it is not what EXPLAIN writes. */
export function readPlan(plan: unknown): PlanTree | null {
  if (!Value.Check(RawPlan, plan)) return null;
  const [{ Plan: root, "Planning Time": planningMs, "Execution Time": executionMs }] = plan;
  const measured = numberIn(root, "Actual Total Time") !== null;
  const whole = measured ? timeOf(root, 1) : numberIn(root, "Total Cost");
  const nodes = flatten(root, { depth: 0, workers: 1, whole: whole ?? 0, measured });
  const worst = nodes.reduce((most, node) => (node.share > most.share ? node : most), nodes[0] ?? NOTHING);
  return {
    nodes,
    worst: nodes.length > 1 && worst.share > 0 ? worst : null,
    measured,
    planningMs: planningMs ?? null,
    executionMs: executionMs ?? null,
  };
}

interface Place {
  readonly depth: number;
  /** How many processes run it at the same time. */
  readonly workers: number;
  /** Time or cost of the whole plan. */
  readonly whole: number;
  readonly measured: boolean;
}

function flatten(raw: RawNode, place: Place): PlanNode[] {
  const { depth, workers, whole, measured } = place;
  const children = childrenOf(raw);
  const below = workers * (1 + (numberIn(raw, "Workers Launched") ?? 0));
  const cost = numberIn(raw, "Total Cost") ?? 0;
  const ownCost = Math.max(0, cost - sum(children, (child) => numberIn(child, "Total Cost")));
  const ms = timeOf(raw, workers);
  const ownMs = ms === null ? null : Math.max(0, ms - sum(children, (child) => timeOf(child, below)));
  const own = measured ? ownMs : ownCost;
  const loops = numberIn(raw, "Actual Loops");
  const rows = numberIn(raw, "Actual Rows");
  const estimated = numberIn(raw, "Plan Rows") ?? 0;
  const node: PlanNode = {
    kind: kindOf(raw),
    subject: subjectOf(raw),
    depth,
    estimatedRows: estimated,
    actualRows: rows === null || loops === null ? null : Math.round(rows * loops),
    loops,
    cost,
    ownCost,
    ms,
    ownMs,
    share: whole > 0 ? Math.min(1, (own ?? 0) / whole) : 0,
    misjudged: loops === 0 ? null : misjudgement(estimated, rows),
    details: detailsOf(raw),
  };
  return [
    node,
    ...children.flatMap((child) => flatten(child, { ...place, depth: depth + 1, workers: below })),
  ];
}

/** Times are an average over loops, and under a Gather each process counts as loops of its own. */
function timeOf(raw: RawNode, workers: number): number | null {
  const ms = numberIn(raw, "Actual Total Time");
  const loops = numberIn(raw, "Actual Loops");
  if (ms === null || loops === null) return null;
  return (ms * loops) / Math.max(1, Math.min(workers, loops));
}

const MISJUDGED_FROM = 10;

function misjudgement(estimated: number, actual: number | null): number | null {
  if (actual === null) return null;
  const [least, most] = [Math.max(1, Math.min(estimated, actual)), Math.max(1, estimated, actual)];
  return most / least >= MISJUDGED_FROM ? most / least : null;
}

function kindOf(raw: RawNode): string {
  const words = [
    raw["Parallel Aware"] === true ? "Parallel" : "",
    textIn(raw, "Partial Mode") === "Partial" ? "Partial" : "",
    textIn(raw, "Node Type"),
    joinWords(raw),
  ];
  return words.filter((word) => word !== "").join(" ");
}

function joinWords(raw: RawNode): string {
  const join = textIn(raw, "Join Type");
  if (join !== "" && join !== "Inner") return `(${join.toLowerCase()})`;
  const operation = textIn(raw, "Operation");
  return operation === "" ? "" : `(${operation.toLowerCase()})`;
}

function subjectOf(raw: RawNode): string {
  const [relation, index, alias] = ["Relation Name", "Index Name", "Alias"].map((name) => textIn(raw, name));
  const other = ["CTE Name", "Function Name", "Subplan Name"].map((name) => textIn(raw, name));
  const table = [relation, alias && alias !== relation ? `as ${alias}` : ""].filter(Boolean).join(" ");
  return [table, index && `by ${index}`, ...other].filter(Boolean).join(" ");
}

/** What stands elsewhere, or says nothing to whoever reads a plan. */
const SHOWN_ELSEWHERE = new Set([
  "Node Type",
  "Plans",
  "Parent Relationship",
  "Parallel Aware",
  "Async Capable",
  "Startup Cost",
  "Total Cost",
  "Plan Rows",
  "Plan Width",
  "Actual Startup Time",
  "Actual Total Time",
  "Actual Rows",
  "Actual Loops",
  "Relation Name",
  "Alias",
  "Index Name",
  "Join Type",
  "Partial Mode",
  "Operation",
  "Inner Unique",
  "Disabled",
  "Workers",
]);

function detailsOf(raw: RawNode): (readonly [string, string])[] {
  return Object.entries(raw).flatMap(([name, value]) => {
    if (SHOWN_ELSEWHERE.has(name) || value === 0 || value === false || value === null) return [];
    return [[name, Array.isArray(value) ? value.map(String).join(", ") : words(value)] as const];
  });
}

function words(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return value.toLocaleString("en");
  return JSON.stringify(value) ?? "";
}

function childrenOf(raw: RawNode): readonly RawNode[] {
  const { Plans: children } = raw;
  return Value.Check(Children, children) ? children : [];
}

function numberIn(raw: RawNode, name: string): number | null {
  const value = raw[name];
  return typeof value === "number" ? value : null;
}

function textIn(raw: RawNode, name: string): string {
  const value = raw[name];
  return typeof value === "string" ? value : "";
}

function sum(nodes: readonly RawNode[], of: (raw: RawNode) => number | null): number {
  return nodes.reduce((total, raw) => total + (of(raw) ?? 0), 0);
}

const NOTHING: PlanNode = {
  kind: "",
  subject: "",
  depth: 0,
  estimatedRows: 0,
  actualRows: null,
  loops: null,
  cost: 0,
  ownCost: 0,
  ms: null,
  ownMs: null,
  share: 0,
  misjudged: null,
  details: [],
};
