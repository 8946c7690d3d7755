import { describe, expect, test } from "vitest";
import type { Write } from "./ledger.ts";
import { type Evidence, judge } from "./verdicts.ts";

const LAWS = {
  ready: "It comes to READY by itself, and takes writes by every route",
  loss: "No acknowledged write that was promised to stay is missing",
  bound: "Other acknowledged writes are lost only at the end of a timeline, and of at most 2 MiB",
  twice: "None is there twice",
  strange: "Nothing is there that was refused or never sent",
  succession: "After a newer primary's first acknowledgement none comes from an older one",
  writer: "Every timeline is written by one member alone",
  line: "The history of timelines is one line",
  left: "Nothing is left in the engine after its deletion",
} as const;

const MIB = 1024 ** 2;
const SWITCH_LSN = 10 * MIB;

/** Two primaries, one after the other, of whom the first lost no write. */
const writes: readonly Write[] = [
  acknowledged(1, { timeline: 1, server: "first", lsn: SWITCH_LSN - 200 }),
  acknowledged(2, { timeline: 1, server: "first", lsn: SWITCH_LSN - 100 }),
  { ...sent(3), outcome: "unknown", why: "nobody answered" },
  { ...sent(4), outcome: "refused", why: "it is read-only" },
  acknowledged(5, { timeline: 2, server: "second", lsn: SWITCH_LSN + 100 }),
];

const evidence: Evidence = {
  writes,
  rows: [1, 2, 3, 5].map((number) => ({ client: 1, number })),
  histories: [{ member: 0, timeline: 2, switches: [{ timeline: 1, lsn: SWITCH_LSN }] }],
  promised: "confirmed",
  keptSince: 0,
  readyAfterMs: 1_000,
  serves: { direct: true, pooled: true },
  left: [],
};

test("a run in which nothing went wrong keeps every law, each of which is named", () => {
  const verdicts = judge(evidence);
  expect(verdicts.map(({ law }) => law)).toEqual(Object.values(LAWS));
  expect(verdicts.filter(({ kept }) => !kept)).toEqual([]);
});

const without = (...numbers: readonly number[]) =>
  evidence.rows?.filter(({ number }) => !numbers.includes(number)) ?? [];

describe("a law is broken, and no other, where", () => {
  test.each<[string, keyof typeof LAWS, Partial<Evidence>]>([
    ["an acknowledged write is missing that was promised to stay", "loss", { rows: without(2) }],
    ["it never was READY", "ready", { readyAfterMs: null }],
    ["the pooler takes no writes at the end", "ready", { serves: { direct: true, pooled: false } }],
    ["a write is there twice", "twice", { rows: [...without(), { client: 1, number: 1 }] }],
    ["a write is there that was refused", "strange", { rows: [...without(), { client: 1, number: 4 }] }],
    ["a row is there that nobody sent", "strange", { rows: [...without(), { client: 9, number: 1 }] }],
    [
      "an older primary acknowledges after a newer one did",
      "succession",
      {
        writes: [...writes, acknowledged(6, { timeline: 1, server: "first" })],
        rows: [...without(), { client: 1, number: 6 }],
      },
    ],
    [
      "two members write one timeline",
      "writer",
      {
        writes: [...writes, acknowledged(6, { timeline: 2, server: "first" })],
        rows: [...without(), { client: 1, number: 6 }],
      },
    ],
    [
      "a timeline begins where no history of the last one has it",
      "line",
      {
        histories: [
          { member: 0, timeline: 2, switches: [{ timeline: 1, lsn: SWITCH_LSN }] },
          {
            member: 1,
            timeline: 3,
            switches: [
              { timeline: 1, lsn: SWITCH_LSN },
              { timeline: 2, lsn: SWITCH_LSN },
            ],
          },
          {
            member: 0,
            timeline: 3,
            switches: [
              { timeline: 1, lsn: SWITCH_LSN },
              { timeline: 2, lsn: SWITCH_LSN + 1 },
            ],
          },
        ],
      },
    ],
    ["something is left in the engine", "left", { left: ["volume v"] }],
    ["it could not be deleted", "left", { left: null }],
  ])("%s", (_, law, changes) => {
    const broken = judge({ ...evidence, ...changes }).filter(({ kept }) => !kept);
    expect(broken.map((verdict) => verdict.law)).toEqual([LAWS[law]]);
  });
});

describe("writes that were not promised to stay", () => {
  const bounded = { keptSince: Infinity, promised: "bounded" } as const;

  test("may be lost at the end of a timeline, and are counted", () => {
    const lost = judge({
      ...evidence,
      ...bounded,
      writes: [...writes, acknowledged(6, { timeline: 1, lsn: SWITCH_LSN + MIB })].toSorted(byTimeline),
    });
    expect(lost.filter(({ kept }) => !kept)).toEqual([]);
    expect(lost.find(({ law }) => law === LAWS.bound)?.numbers).toMatch(
      /^1 lost in 1 failovers, 1048576 bytes/,
    );
  });

  test.each([
    ["more than a failover may cost", acknowledged(6, { timeline: 1, lsn: SWITCH_LSN + 3 * MIB })],
    ["from before the end of their timeline", acknowledged(6, { timeline: 1, lsn: SWITCH_LSN - MIB })],
    ["in a timeline that goes on", acknowledged(6, { timeline: 2, server: "second" })],
  ])("must not be %s", (_, write) => {
    const verdicts = judge({ ...evidence, ...bounded, writes: [...writes, write].toSorted(byTimeline) });
    expect(verdicts.filter(({ kept }) => !kept).map(({ law }) => law)).toEqual([LAWS.bound]);
  });

  test("count from the moment when the promise was made again", () => {
    const verdicts = judge({ ...evidence, keptSince: 1.5, rows: without(1) });
    expect(verdicts.find(({ law }) => law === LAWS.loss)?.kept).toBe(true);
    expect(judge({ ...evidence, keptSince: 1.5, rows: without(2) })[1]?.kept).toBe(false);
  });
});

test("what could not be read proves nothing", () => {
  const verdicts = judge({ ...evidence, rows: null, histories: null });
  expect(verdicts.filter(({ kept }) => !kept).map(({ law }) => law)).toEqual([LAWS.loss, LAWS.line]);
});

function sent(number: number) {
  return { route: "direct", client: 1, number, sentAt: number - 0.5, endedAt: number } as const;
}

function acknowledged(number: number, taken: { timeline: number; server?: string; lsn?: number }): Write {
  const { timeline, server = "first", lsn = SWITCH_LSN } = taken;
  return { ...sent(number), outcome: "acknowledged", timeline, server, lsn };
}

/** So that a write that is added breaks no law of order. */
function byTimeline(a: Write, b: Write): number {
  const of = (write: Write) => (write.outcome === "acknowledged" ? write.timeline : 1);
  return of(a) - of(b);
}
