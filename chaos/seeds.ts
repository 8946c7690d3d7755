/** What once found something, so that it is run again. */
import { readShapes } from "./arguments.ts";
import type { Scheduled, Shape } from "./fault.ts";

/** Of the model, on virtual time; each is a test. */
export interface KeptLife {
  readonly seed: number;
  readonly durationMs: number;
  /** What it found, in a sentence. */
  readonly found: string;
}

/** Of real containers: by hand with `--kept`; the short ones are tests. */
export interface KeptRun {
  readonly name: string;
  readonly found: string;
  readonly services: readonly Shape[];
  readonly schedule: readonly Scheduled[];
  readonly short: boolean;
}

export const KEPT_LIVES: readonly KeptLife[] = [];

/** After a primary was killed, so much later the one that took over. */
const SECOND_KILL_AFTER_MS = [1_600, 2_000, 2_500, 3_000, 3_600, 4_500];
const DOUBLE_KILL_EVERY_MS = 12_000;

export const KEPT_RUNS: readonly KeptRun[] = [
  {
    name: "heir-of-an-older-timeline",
    found:
      "A former primary that had not joined again yet was elected when its successor died: it went on from its own old " +
      "timeline, wrote a second one of the same number, and everything that the successor had acknowledged was lost. And a " +
      "member whose rewind was cut off, because the primary that it copied from had died, never came back.",
    services: readShapes("1"),
    short: false,
    schedule: SECOND_KILL_AFTER_MS.flatMap((laterMs, at) =>
      [2_000, 2_000 + laterMs].map((ms) => ({
        atMs: at * DOUBLE_KILL_EVERY_MS + ms,
        service: "1",
        fault: { kind: "killMember", target: "primary" } as const,
      })),
    ),
  },
];
