import type { LogPosition, MemberLog, MemberLogEntry } from "../../lib/member-logs.ts";

export interface MergedEntry extends MemberLogEntry {
  readonly ordinal: number;
}

export interface LogPage {
  /** Newest first. */
  readonly entries: readonly MergedEntry[];
  /** From where each member is to be read for the next page; null: there is nothing older. */
  readonly older: ReadonlyMap<number, LogPosition> | null;
}

/** Before every file: what has no log now shall have none on later pages either. */
const NOTHING: LogPosition = ["", 0];

/**
 * One page of what several members have told. A member's own order stays, whatever its clock says, so that nothing is told
 * twice or left out; among members the newest goes first.
 *
 * @param before from where the members were read; one that is not in it was read from its end
 */
export function mergeLogs(
  logs: readonly MemberLog[],
  limit: number,
  before: ReadonlyMap<number, LogPosition>,
): LogPage {
  const taken = logs.map(() => 0);
  const entries: MergedEntry[] = [];
  while (entries.length < limit) {
    // Of this one nothing more is known, and what comes next may be newer than what others have.
    if (logs.some((log, index) => taken[index] === log.entries.length && log.next !== null)) break;
    const newest = newestHead(logs, taken);
    if (!newest) break;
    entries.push({ ...newest.entry, ordinal: newest.ordinal });
    taken[newest.index] = (taken[newest.index] ?? 0) + 1;
  }
  const isMore = logs.some((log, index) => log.next !== null || (taken[index] ?? 0) < log.entries.length);
  if (!isMore) return { entries, older: null };
  const older = logs.map((log, index) => [log.ordinal, readOnFrom(log, taken[index] ?? 0, before)] as const);
  return { entries, older: new Map(older) };
}

function newestHead(logs: readonly MemberLog[], taken: readonly number[]) {
  let newest: { index: number; ordinal: number; entry: MemberLogEntry } | null = null;
  for (const [index, { ordinal, entries }] of logs.entries()) {
    const entry = entries[taken[index] ?? 0];
    if (entry && (!newest || entry.atMs > newest.entry.atMs)) newest = { index, ordinal, entry };
  }
  return newest;
}

function readOnFrom(log: MemberLog, taken: number, before: ReadonlyMap<number, LogPosition>): LogPosition {
  if (taken === log.entries.length && log.next !== null) return log.next;
  return log.entries[taken - 1]?.position ?? before.get(log.ordinal) ?? log.top ?? NOTHING;
}
