/** What came of a run, for a terminal and as data. Pure. */
import { commandLine, type RealArguments } from "./arguments.ts";
import { describeScheduled, type Scheduled } from "./fault.ts";
import { type Acknowledged, ROUTES, type Write } from "./ledger.ts";
import type { Result, Tested } from "./run.ts";
import { missing } from "./verdicts.ts";

export interface Report extends Result {
  /** ISO 8601. */
  readonly startedAt: string;
  readonly chosen: RealArguments;
  readonly schedule: readonly Scheduled[];
}

/** Whether every law was kept, and nothing is left. */
export function allKept({ services, left }: Result): boolean {
  const kept = services.every(({ verdicts }) => verdicts.every((verdict) => verdict.kept));
  return kept && services.length > 0 && left.length === 0;
}

export function renderText(report: Report): string {
  const { services, left, chosen } = report;
  const lines = [
    ...services.flatMap(renderService),
    left.length === 0 ? "Nothing of the installation is left." : `LEFT in the engine: ${left.join(", ")}`,
    "",
    allKept(report) ? "Every law was kept." : "A law was BROKEN.",
    `${chosen.kept ?? `Seed ${chosen.seed}`}. Again: ${commandLine(chosen)}`,
  ];
  return `${lines.join("\n")}\n`;
}

function renderService({ name, evidence, verdicts }: Tested): readonly string[] {
  const width = Math.max(...verdicts.map(({ law }) => law.length));
  const heading = ROUTES.map((route) => {
    const writes = evidence.writes.filter((write) => write.route === route);
    const count = (outcome: string) => writes.filter((write) => write.outcome === outcome).length;
    return (
      `${route} ${count("acknowledged")} acknowledged, ${count("refused")} refused, ${count("unknown")} unknown, ` +
      `${(longestGapMs(writes) / 1000).toFixed(1)} s without any at most`
    );
  });
  return [
    `${name}: ${heading.join("; ")}`,
    ...verdicts.map(
      ({ law, kept, numbers }) => `  ${kept ? "kept  " : "BROKEN"}  ${law.padEnd(width)}  ${numbers}`,
    ),
    "",
  ];
}

/** Everything but the writes that went as they should: times are milliseconds from the start of the process. */
export function renderJson(report: Report): string {
  const services = report.services.map(({ name, evidence, verdicts }) => {
    const { writes, rows, ...seen } = evidence;
    const acknowledged = writes.filter((write) => write.outcome === "acknowledged");
    return {
      name,
      verdicts,
      ...seen,
      keptSince: Number.isFinite(seen.keptSince) ? seen.keptSince : null,
      acknowledged: acknowledged.length,
      reigns: reignsIn(acknowledged),
      rows: rows?.length ?? null,
      missing: rows === null ? null : missing(acknowledged, rows),
      unanswered: writes.filter((write) => write.outcome !== "acknowledged"),
    };
  });
  const schedule = report.schedule.map(describeScheduled);
  return `${JSON.stringify({ ...report, again: commandLine(report.chosen), schedule, services }, null, 2)}\n`;
}

/** Between two acknowledgements, as clients heard of them. */
function longestGapMs(writes: readonly Write[]): number {
  const heard = writes.filter(({ outcome }) => outcome === "acknowledged").map(({ endedAt }) => endedAt);
  return heard.reduce((longest, at, index) => Math.max(longest, at - (heard[index - 1] ?? at)), 0);
}

interface Reign {
  readonly timeline: number;
  readonly server: string;
  readonly fromMs: number;
  toMs: number;
  acknowledged: number;
}

/** Who acknowledged, one after the other, each until another one did. */
function reignsIn(acknowledged: readonly Acknowledged[]): readonly Reign[] {
  const reigns: Reign[] = [];
  for (const { timeline, server, endedAt } of acknowledged) {
    const last = reigns.at(-1);
    if (last?.timeline === timeline && last.server === server) {
      last.toMs = endedAt;
      last.acknowledged += 1;
    } else {
      reigns.push({ timeline, server, fromMs: endedAt, toMs: endedAt, acknowledged: 1 });
    }
  }
  return reigns;
}
