import { expect, test } from "vitest";
import { type RealArguments, readArguments } from "./arguments.ts";
import type { Acknowledged } from "./ledger.ts";
import { allKept, type Report, renderJson, renderText } from "./report.ts";
import { type Evidence, judge } from "./verdicts.ts";

const chosen = chosenBy(["--seed", "7", "--minutes", "1", "--services", "1s"]);

const writes: readonly Acknowledged[] = [1_000, 1_500, 4_000].map((endedAt, at) => ({
  route: "direct",
  client: 1,
  number: at + 1,
  sentAt: endedAt - 10,
  endedAt,
  outcome: "acknowledged",
  timeline: at < 2 ? 1 : 2,
  server: at < 2 ? "first" : "second",
  lsn: at,
}));

const evidence: Evidence = {
  writes,
  rows: writes.map(({ client, number }) => ({ client, number })),
  histories: [{ member: 1, timeline: 2, switches: [{ timeline: 1, lsn: 2 }] }],
  promised: "confirmed",
  keptSince: 0,
  readyAfterMs: 10,
  serves: { direct: true, pooled: true },
  left: [],
};

function chosenBy(argv: readonly string[]): RealArguments {
  const read = readArguments(argv);
  if (read.mode !== "real") throw new Error("it is not about containers");
  return read;
}

function report(changes: Partial<Evidence> = {}): Report {
  const seen = { ...evidence, ...changes };
  const services = [{ name: "1s", evidence: seen, verdicts: judge(seen) }];
  return { startedAt: "2026-01-01T00:00:00Z", chosen, schedule: [], services, left: [] };
}

test("a run that kept every law says so, and how to make it again", () => {
  const text = renderText(report());
  expect(text).toContain("Every law was kept.");
  expect(text).toContain("direct 3 acknowledged, 0 refused, 0 unknown, 2.5 s without any at most");
  expect(text).toContain("npm run chaos -- --seed 7 --minutes 1 --services 1s --clients 2 --every 50");
});

test("one dropped row that was acknowledged is told, and nothing is well any more", () => {
  const broken = report({ rows: evidence.rows?.slice(1) ?? [] });
  expect(allKept(broken)).toBe(false);
  expect(renderText(broken)).toMatch(/BROKEN {2}No acknowledged write .* 1 of 3 \(direct 1\/1 at 1\.000 s/);
});

test("what is left of the installation, or no service at all, is no success", () => {
  expect(allKept({ ...report(), left: ["volume v"] })).toBe(false);
  expect(allKept({ ...report(), services: [] })).toBe(false);
});

test("the data tell who acknowledged from when to when, and what is missing", () => {
  const data: unknown = JSON.parse(renderJson(report({ rows: [] })));
  expect(data).toMatchObject({
    services: [
      {
        missing: [{ number: 1 }, { number: 2 }, { number: 3 }],
        reigns: [
          { timeline: 1, server: "first", fromMs: 1_000, toMs: 1_500, acknowledged: 2 },
          { timeline: 2, server: "second", fromMs: 4_000, toMs: 4_000, acknowledged: 1 },
        ],
      },
    ],
  });
});
