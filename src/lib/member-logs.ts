/** What is asked of members' logs, and what they answer: between the API and a platform, which do not know each other. */

export interface LogQuery {
  /** Of this member alone; null: of all. */
  readonly ordinal: number | null;
  /** Of each member, only what was written before a position that it told; of the others, everything. */
  readonly before: ReadonlyMap<number, LogPosition>;
  /** The first moment, and the one after the last, in milliseconds of the epoch; null: unbounded. */
  readonly sinceMs: number | null;
  readonly untilMs: number | null;
  /** Texts that all have to be in an entry; case does not matter. */
  readonly search: readonly string[];
  /** Empty: all. */
  readonly severities: readonly string[];
  /** Entries of each member at most. */
  readonly limit: number;
}

/** A place in a member's log, which stays true while the log grows and is trimmed. */
export type LogPosition = readonly [file: string, offset: number];

export interface MemberLogs {
  /** All members that there are, whether they were asked or not. */
  readonly ordinals: readonly number[];
  readonly logs: readonly MemberLog[];
}

export interface MemberLog {
  readonly ordinal: number;
  /** Newest first. */
  readonly entries: readonly MemberLogEntry[];
  /** Where reading began: the end of the log, where nothing else was asked for. null: there is no log yet. */
  readonly top: LogPosition | null;
  /** From where to read on; null: nothing older is there. */
  readonly next: LogPosition | null;
}

export interface MemberLogEntry {
  readonly atMs: number;
  readonly severity: string;
  readonly message: string;
  /** Who ran it; null for the server's own processes. */
  readonly user: string | null;
  readonly database: string | null;
  readonly pid: number | null;
  readonly position: LogPosition;
}
