/** PostgreSQL's own account of who followed whom: the history files that each promotion leaves. */
import type { Acknowledged } from "./ledger.ts";
import type { Verdict } from "./verdicts.ts";

export interface History {
  /** Where the file was found. */
  readonly member: number;
  /** The timeline that it leads to. */
  readonly timeline: number;
  readonly switches: readonly Switch[];
}

/** The end of a timeline, in bytes of the log. */
interface Switch {
  readonly timeline: number;
  readonly lsn: number;
}

const HEADING = /^== ([0-9A-F]{8})\.history$/;
const SWITCH = /^(\d+)\s+([0-9A-F]+)\/([0-9A-F]+)\b/;

/** Prints every history of a member, each below its heading. */
export const SHOW_HISTORIES = [
  "sh",
  "-c",
  'cd /data/pg/pg_wal && for f in *.history; do [ -e "$f" ] || continue; echo "== $f"; cat "$f"; echo; done',
];

/** Reads what SHOW_HISTORIES has printed. */
export function readHistories(member: number, printed: string): readonly History[] {
  const found: { member: number; timeline: number; switches: Switch[] }[] = [];
  for (const line of printed.split("\n")) {
    const heading = HEADING.exec(line);
    if (heading) found.push({ member, timeline: Number.parseInt(heading[1] ?? "", 16), switches: [] });
    const [, timeline, high, low] = SWITCH.exec(line) ?? [];
    if (timeline === undefined || high === undefined || low === undefined) continue;
    const lsn = Number.parseInt(high, 16) * 2 ** 32 + Number.parseInt(low, 16);
    found.at(-1)?.switches.push({ timeline: Number(timeline), lsn });
  }
  return found;
}

/** Where a timeline ended; null: no history tells. */
export function switchOf(histories: readonly History[], timeline: number): number | null {
  const all = histories.flatMap(({ switches }) => switches);
  return all.find((each) => each.timeline === timeline)?.lsn ?? null;
}

/** One line: each history is the beginning of the next, and every timeline that took a write stands in the last. */
export function judgeHistories(
  histories: readonly History[],
  acknowledged: readonly Acknowledged[],
): Verdict {
  const ordered = histories.toSorted((a, b) => a.timeline - b.timeline);
  const last = ordered.at(-1);
  const line = [...(last?.switches ?? []).map(({ timeline }) => timeline), last?.timeline ?? 1];
  const forked = ordered.filter(
    ({ timeline, switches }) => !line.includes(timeline) || !isPrefix(switches, last?.switches ?? []),
  );
  const written = new Set(acknowledged.map(({ timeline }) => timeline));
  const outside = [...written].filter((timeline) => !line.includes(timeline));
  const told = [
    ...forked.map(({ timeline, member }) => `timeline ${timeline} of member ${member} is a branch`),
    ...outside.map((timeline) => `timeline ${timeline} took writes and has no heir`),
  ];
  return {
    law: "The history of timelines is one line",
    kept: told.length === 0,
    numbers: told.length === 0 ? `${histories.length} histories, ${line.length} timelines` : told.join(", "),
  };
}

function isPrefix(shorter: readonly Switch[], longer: readonly Switch[]): boolean {
  return shorter.every(
    ({ timeline, lsn }, at) => longer[at]?.timeline === timeline && longer[at]?.lsn === lsn,
  );
}
