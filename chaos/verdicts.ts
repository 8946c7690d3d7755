/** What a run proves of a service: each verdict a law, and the numbers that keep or break it. Pure. */
import { type History, judgeHistories, switchOf } from "./histories.ts";
import type { Acknowledged, Write } from "./ledger.ts";
import type { Promised } from "./promises.ts";

export interface Verdict {
  readonly law: string;
  readonly kept: boolean;
  readonly numbers: string;
}

/** A row that is in the database at the end. */
export interface Row {
  readonly client: number;
  readonly number: number;
}

/** What was seen of a service; null: it could not be seen. */
export interface Evidence {
  readonly writes: readonly Write[];
  readonly rows: readonly Row[] | null;
  readonly histories: readonly History[] | null;
  readonly promised: Promised;
  /** As Promises tells it at the end. */
  readonly keptSince: number;
  /** From the end of the last fault to READY. */
  readonly readyAfterMs: number | null;
  /** Whether each of its routes took a write after that. */
  readonly serves: Readonly<Record<string, boolean>>;
  /** What the engine still has of it after its deletion. */
  readonly left: readonly string[] | null;
}

/** What Patroni lets a replica lack at most, and what the primary may have written since it last told where it is. */
const MAY_BE_LOST_BYTES = 1024 ** 2 + 1024 ** 2;
/** A commit's own record comes after the position that a write tells. */
const COMMIT_WITHIN_BYTES = 64 * 1024;

export function judge(evidence: Evidence): readonly Verdict[] {
  const { rows, histories } = evidence;
  return [
    readyVerdict(evidence),
    ...(rows === null
      ? [unseen("No acknowledged write that was promised to stay is missing")]
      : [
          lossVerdict(evidence, rows),
          boundVerdict(evidence, rows),
          twiceVerdict(rows),
          strangeVerdict(evidence, rows),
        ]),
    successionVerdict(acknowledgedIn(evidence)),
    writerVerdict(acknowledgedIn(evidence)),
    histories === null
      ? unseen("The history of timelines is one line")
      : judgeHistories(histories, acknowledgedIn(evidence)),
    leftVerdict(evidence),
  ];
}

function unseen(law: string): Verdict {
  return { law, kept: false, numbers: "nobody could tell" };
}

function acknowledgedIn({ writes }: Evidence): readonly Acknowledged[] {
  return writes.filter((write) => write.outcome === "acknowledged");
}

function readyVerdict({ readyAfterMs, serves }: Evidence): Verdict {
  const silent = Object.entries(serves).flatMap(([route, does]) => (does ? [] : [route]));
  return {
    law: "It comes to READY by itself, and takes writes by every route",
    kept: readyAfterMs !== null && silent.length === 0,
    numbers: [
      readyAfterMs === null ? "never READY" : `READY after ${(readyAfterMs / 1000).toFixed(1)} s`,
      ...silent.map((route) => `no write ${route}`),
    ].join(", "),
  };
}

/** Acknowledged, and not there. */
export function missing(
  acknowledged: readonly Acknowledged[],
  rows: readonly Row[],
): readonly Acknowledged[] {
  const there = new Set(rows.map(nameOf));
  return acknowledged.filter((write) => !there.has(nameOf(write)));
}

function nameOf({ client, number }: Row): string {
  return `${client}/${number}`;
}

function lossVerdict(evidence: Evidence, rows: readonly Row[]): Verdict {
  const promised = acknowledgedIn(evidence).filter(({ endedAt }) => endedAt >= evidence.keptSince);
  const lost = missing(promised, rows);
  return {
    law: "No acknowledged write that was promised to stay is missing",
    kept: lost.length === 0,
    numbers: `${lost.length} of ${promised.length}${shown(lost)}`,
  };
}

/** Without a synchronous replica, what a failover cost. */
function boundVerdict(evidence: Evidence, rows: readonly Row[]): Verdict {
  const lost = missing(acknowledgedIn(evidence), rows).filter(({ endedAt }) => endedAt < evidence.keptSince);
  const costs = [...Map.groupBy(lost, ({ timeline }) => timeline)].map(([timeline, writes]) => {
    const switchedAt = switchOf(evidence.histories ?? [], timeline);
    const lsns = writes.map(({ lsn }) => lsn);
    // It was there when the next timeline began: no failover explains it.
    const inexplicable = switchedAt === null || Math.min(...lsns) + COMMIT_WITHIN_BYTES < switchedAt;
    return { writes, inexplicable, bytes: Math.max(0, ...lsns) - (switchedAt ?? 0) };
  });
  const worst = costs.map(({ bytes }) => bytes).reduce((most, bytes) => Math.max(most, bytes), 0);
  return {
    law: "Other acknowledged writes are lost only at the end of a timeline, and of at most 2 MiB",
    kept: costs.every(({ inexplicable, bytes }) => !inexplicable && bytes <= MAY_BE_LOST_BYTES),
    numbers:
      lost.length === 0
        ? "none lost"
        : `${lost.length} lost in ${costs.length} failovers, ${worst} bytes at most${shown(lost)}`,
  };
}

function twiceVerdict(rows: readonly Row[]): Verdict {
  const twice = rows.length - new Set(rows.map(nameOf)).size;
  return { law: "None is there twice", kept: twice === 0, numbers: `${twice} of ${rows.length}` };
}

function strangeVerdict({ writes }: Evidence, rows: readonly Row[]): Verdict {
  const outcomes = new Map(writes.map((write) => [nameOf(write), write.outcome]));
  const strange = rows.filter((row) => (outcomes.get(nameOf(row)) ?? "refused") === "refused");
  const unknown = rows.filter((row) => outcomes.get(nameOf(row)) === "unknown").length;
  const all = writes.filter(({ outcome }) => outcome === "unknown").length;
  return {
    law: "Nothing is there that was refused or never sent",
    kept: strange.length === 0,
    numbers: `${strange.length}; of ${all} with no answer ${unknown} are there`,
  };
}

/** Two primaries at a time would show as an older timeline that goes on after a newer one has begun. */
function successionVerdict(acknowledged: readonly Acknowledged[]): Verdict {
  let newest = 0;
  const late = acknowledged.filter(({ timeline }) => {
    newest = Math.max(newest, timeline);
    return timeline < newest;
  });
  return {
    law: "After a newer primary's first acknowledgement none comes from an older one",
    kept: late.length === 0,
    numbers: `${late.length} of ${acknowledged.length}, timelines up to ${newest}${shown(late)}`,
  };
}

function writerVerdict(acknowledged: readonly Acknowledged[]): Verdict {
  const writers = new Map<number, Set<string>>();
  for (const { timeline, server } of acknowledged) {
    const known = writers.get(timeline) ?? new Set();
    writers.set(timeline, known.add(server));
  }
  const shared = [...writers].filter(([, servers]) => servers.size > 1);
  const told = shared.map(([timeline, servers]) => `${timeline} by ${[...servers].join(" and ")}`);
  return {
    law: "Every timeline is written by one member alone",
    kept: shared.length === 0,
    numbers: shared.length === 0 ? `${writers.size} timelines` : told.join(", "),
  };
}

function leftVerdict({ left }: Evidence): Verdict {
  return {
    law: "Nothing is left in the engine after its deletion",
    kept: left?.length === 0,
    numbers: left === null ? "it could not be deleted" : left.length === 0 ? "nothing" : left.join(", "),
  };
}

/** The first few, to look for in logs. */
function shown(writes: readonly Acknowledged[]): string {
  const some = writes
    .slice(0, 3)
    .map(
      ({ route, client, number, timeline, endedAt }) =>
        `${route} ${client}/${number} at ${(endedAt / 1000).toFixed(3)} s in timeline ${timeline}`,
    );
  return some.length === 0 ? "" : ` (${some.join("; ")}${writes.length > some.length ? "; …" : ""})`;
}
