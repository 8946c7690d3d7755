/** What stands on a service's query page: kept while the tab lives, so that a look at the logs loses nothing. */
import { useSyncExternalStore } from "react";
import type { QueryRecord } from "../../../../src/client/index.ts";
import { QUERY_BOUNDS } from "../../../../src/contract/query.ts";
import type { Account } from "../../session/session.ts";

export type Explain = "none" | "plan" | "analyze";

/** What was run, and where in the editor it stands. */
export interface Statement {
  readonly sql: string;
  /** Of its first character in the editor. */
  readonly from: number;
  readonly explain: Explain;
  readonly maxRows: number;
}

export type Outcome =
  | { readonly kind: "answer"; readonly statement: Statement; readonly answer: QueryRecord }
  | { readonly kind: "refused"; readonly statement: Statement; readonly error: Error }
  | { readonly kind: "cancelled"; readonly statement: Statement };

export interface HistoryEntry {
  readonly sql: string;
  readonly explain: Explain;
  /** RFC 3339. */
  readonly at: string;
  /** In a few words. */
  readonly became: string;
}

export interface Sheet {
  readonly sql: string;
  readonly readOnly: boolean;
  readonly maxRows: number;
  readonly seconds: number;
  /** The id of the read replica set that is asked; null: the primary. */
  readonly setId: string | null;
  readonly outcome: Outcome | null;
  /** Newest first. */
  readonly history: readonly HistoryEntry[];
}

const MOST_HISTORY = 50;

const NEW_SHEET: Sheet = {
  sql: "",
  readOnly: true,
  maxRows: QUERY_BOUNDS.rows.usual,
  seconds: QUERY_BOUNDS.seconds.usual,
  setId: null,
  outcome: null,
  history: [],
};

const sheets = new WeakMap<Account, Map<string, Sheet>>();
const listeners = new Set<() => void>();

function readSheet(account: Account, serviceId: string): Sheet {
  return sheets.get(account)?.get(serviceId) ?? NEW_SHEET;
}

function writeSheet(account: Account, serviceId: string, change: (sheet: Sheet) => Sheet): void {
  const known = sheets.get(account) ?? new Map<string, Sheet>();
  sheets.set(account, known);
  known.set(serviceId, change(readSheet(account, serviceId)));
  for (const listener of listeners) listener();
}

export function useSheet(account: Account, serviceId: string) {
  const sheet = useSyncExternalStore(subscribe, () => readSheet(account, serviceId));
  const change = (part: Partial<Sheet> | ((sheet: Sheet) => Partial<Sheet>)) =>
    writeSheet(account, serviceId, (before) => ({
      ...before,
      ...(typeof part === "function" ? part(before) : part),
    }));
  return [sheet, change] as const;
}

/** A statement that is run again moves to the front. */
export function withEntry(history: readonly HistoryEntry[], entry: HistoryEntry): readonly HistoryEntry[] {
  const others = history.filter(({ sql, explain }) => sql !== entry.sql || explain !== entry.explain);
  return [entry, ...others].slice(0, MOST_HISTORY);
}

/** In a few words what became of a statement. */
export function becameOf(outcome: Outcome): string {
  if (outcome.kind === "cancelled") return "cancelled";
  if (outcome.kind === "refused") return "failed";
  const { results, duration_ms } = outcome.answer;
  const truncated = results.some((result) => result.truncated);
  const rows = results.reduce((sum, one) => sum + (one.truncated ? one.rows.length : one.row_count), 0);
  if (outcome.statement.explain !== "none") return `plan, ${milliseconds(duration_ms)}`;
  const many = `${rows.toLocaleString("en")}${truncated ? "+" : ""} ${rows === 1 ? "row" : "rows"}`;
  return `${many}, ${milliseconds(duration_ms)}`;
}

/** 0.42 ms, 18 ms, 1.2 s */
export function milliseconds(ms: number): string {
  if (ms >= 1_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  if (ms >= 10) return `${Math.round(ms)} ms`;
  return `${ms.toFixed(ms < 1 ? 2 : 1)} ms`;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
