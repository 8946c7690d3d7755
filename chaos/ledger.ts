/** What clients sent, and what they were told of it. */

/** Through the endpoint itself, or through the pooler. */
export const ROUTES = ["direct", "pooled"] as const;
export type Route = (typeof ROUTES)[number];

/** Times are of performance.now(). */
interface Sent {
  readonly route: Route;
  readonly client: number;
  /** Counts the client's writes; with the client it names a row. */
  readonly number: number;
  readonly sentAt: number;
  readonly endedAt: number;
}

/** Who took a write. */
export interface Taken {
  readonly timeline: number;
  /** Where its record begins, in bytes of the log. */
  readonly lsn: number;
  /** The member's address. */
  readonly server: string;
}

export interface Acknowledged extends Sent, Taken {
  readonly outcome: "acknowledged";
}

/** Refused: the server said that it was not done. Unknown: nobody said anything. */
export type Write = Acknowledged | (Sent & { readonly outcome: "refused" | "unknown"; readonly why: string });

export interface RouteTally {
  readonly acknowledged: number;
  readonly refused: number;
  readonly unknown: number;
  /** The longest time without an acknowledgement, by now. */
  readonly longestGapMs: number;
  /** The time since the last one. */
  readonly gapMs: number;
}

export interface Ledger {
  /** In the order in which the clients heard. */
  readonly writes: readonly Write[];
  add(write: Write): void;
  tally(route: Route): RouteTally;
}

export function createLedger(now: () => number = () => performance.now()): Ledger {
  const writes: Write[] = [];
  const fresh = () => ({ acknowledged: 0, refused: 0, unknown: 0, longestGapMs: 0, lastAt: now() });
  const tallies = { direct: fresh(), pooled: fresh() };
  return {
    writes,
    add(write) {
      writes.push(write);
      const tally = tallies[write.route];
      tally[write.outcome] += 1;
      if (write.outcome !== "acknowledged") return;
      tally.longestGapMs = Math.max(tally.longestGapMs, write.endedAt - tally.lastAt);
      tally.lastAt = write.endedAt;
    },
    tally(route) {
      const { lastAt, ...tally } = tallies[route];
      const gapMs = now() - lastAt;
      return { ...tally, gapMs, longestGapMs: Math.max(tally.longestGapMs, gapMs) };
    },
  };
}
