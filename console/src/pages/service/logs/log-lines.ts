/** Lines of PostgreSQL's log, gathered from pages that overlap. */

import type { LogRecords } from "../../../../../src/client/index.ts";
import type { Mood } from "../../../ui/mood.ts";

export type LogLine = LogRecords["entries"][number];

export interface Gathered {
  /** Oldest first. */
  readonly lines: readonly LogLine[];
  readonly keys: ReadonlySet<string>;
}

export const NOTHING_GATHERED: Gathered = { lines: [], keys: new Set() };

/** Who holds more than this holds up the browser. */
export const MOST_LINES = 20_000;

/** The same line of two pages has the same key; so have two lines that a member wrote twice in a millisecond. */
export function keyOf(line: LogLine): string {
  const known = keysOfLines.get(line);
  if (known !== undefined) return known;
  const { timestamp, node, severity, message } = line;
  const key = JSON.stringify([timestamp, node, severity, message]);
  keysOfLines.set(line, key);
  return key;
}

/** All of them are asked for whenever one line more is drawn. */
const keysOfLines = new WeakMap<LogLine, string>();

/**
 * With what a page brought, each line once, oldest first.
 *
 * @param page newest first, as the API writes it
 */
export function gather(known: Gathered, page: readonly LogLine[]): Gathered {
  const keys = new Set(known.keys);
  const fresh = page.toReversed().filter((line) => {
    const key = keyOf(line);
    return !keys.has(key) && keys.add(key);
  });
  if (fresh.length === 0) return known;
  const lines = [...known.lines, ...fresh];
  // Members do not tell their lines at the same moment: one that is older may come later.
  return { lines: lines.toSorted((a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp)), keys };
}

/** The newest of them. */
export function trimmed({ lines, keys }: Gathered, most = MOST_LINES): Gathered {
  if (lines.length <= most) return { lines, keys };
  const left = lines.slice(-most);
  return { lines: left, keys: new Set(left.map(keyOf)) };
}

const MOST_WORDS = 10;
const LONGEST_WORD = 256;

/** Words that all have to be in a line; "several words" in quotes are one. */
export function searchWords(text: string): readonly string[] {
  return [...text.matchAll(/"([^"]+)"?|(\S+)/g)]
    .map(([, quoted, plain]) => (quoted ?? plain ?? "").trim().slice(0, LONGEST_WORD))
    .filter((word) => word !== "")
    .slice(0, MOST_WORDS);
}

export interface Piece {
  readonly text: string;
  readonly found: boolean;
}

/** The text in pieces, those apart that were searched for; case does not matter. */
export function highlighted(text: string, words: readonly string[]): readonly Piece[] {
  if (words.length === 0) return [{ text, found: false }];
  const escaped = words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const pieces = text.split(new RegExp(`(${escaped.join("|")})`, "gi"));
  return pieces.flatMap((piece, index) => (piece === "" ? [] : [{ text: piece, found: index % 2 === 1 }]));
}

/** What people look for, and PostgreSQL's own words for it. */
export const SEVERITY_GROUPS = [
  { id: "errors", title: "Errors", severities: ["ERROR", "FATAL", "PANIC"] },
  { id: "warnings", title: "Warnings", severities: ["WARNING"] },
  {
    id: "messages",
    title: "Messages",
    severities: ["LOG", "INFO", "NOTICE", "DEBUG1", "DEBUG2", "DEBUG3", "DEBUG4", "DEBUG5"],
  },
] as const;

export function moodOf(severity: string): Mood {
  if (severity === "WARNING") return "warn";
  return severity === "ERROR" || severity === "FATAL" || severity === "PANIC" ? "bad" : "calm";
}

/** As a file of a log has it. */
export function textOf({ timestamp, node = "", severity, message }: LogLine): string {
  return `${timestamp} ${node} ${severity}: ${message}`;
}
