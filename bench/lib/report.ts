/** What was measured, as data for a file and as a table for people. Pure. */
import type { MachineFacts } from "./machine.ts";
import type { Measurement, Row, Samples, Target, Unit } from "./measurement.ts";
import { type Summary, summarize } from "./statistics.ts";

export interface Measured {
  readonly measurement: Measurement;
  readonly samples: Samples;
  /** Why it could not be finished, or null. */
  readonly failure: string | null;
}

export interface Report {
  /** ISO 8601. */
  readonly startedAt: string;
  readonly machine: MachineFacts;
  readonly runs: number;
  readonly loadSeconds: number;
  readonly measurements: readonly ReportedMeasurement[];
}

export interface ReportedMeasurement {
  readonly title: string;
  readonly failure: string | null;
  readonly rows: readonly ReportedRow[];
}

export interface ReportedRow extends Series {
  readonly unit: Unit;
  readonly target: (Target & { readonly met: boolean }) | null;
  readonly baseline: Series | null;
  /** Median to median; null where there is no baseline, or it is zero. */
  readonly ratio: number | null;
}

interface Series {
  readonly title: string;
  readonly summary: Summary;
  /** In the order in which they were measured; left out where there are too many to look at. */
  readonly values: readonly number[] | null;
}

const VALUES_SHOWN = 100;

export function reportMeasurement({ measurement, samples, failure }: Measured): ReportedMeasurement {
  return {
    title: measurement.title,
    failure,
    rows: measurement.rows.flatMap((row) => reportRow(row, samples) ?? []),
  };
}

/** Null where nothing was measured. */
function reportRow({ title, series, unit, target, baseline }: Row, samples: Samples): ReportedRow | null {
  const own = reportSeries(title, samples.of(series));
  if (own === null) return null;
  const raw = baseline ? reportSeries(baseline.title, samples.of(baseline.series)) : null;
  return {
    ...own,
    unit,
    target: target ? { ...target, met: own.summary[target.statistic] <= target.atMost } : null,
    baseline: raw,
    ratio: raw && raw.summary.median > 0 ? round(own.summary.median / raw.summary.median) : null,
  };
}

function reportSeries(title: string, values: readonly number[]): Series | null {
  const summary = summarize(values.map(round));
  if (summary === null) return null;
  return { title, summary, values: values.length > VALUES_SHOWN ? null : values.map(round) };
}

/** Hundredths: more would be noise. */
function round(value: number): number {
  return Math.round(value * 100) / 100;
}

const HEADINGS = ["", "n", "min", "median", "p90", "p99", "max", "ratio", "target"] as const;

/** For a terminal. */
export function renderText(report: Report): string {
  const tables = report.measurements.map(({ title, rows, failure }) => {
    const cells = rows.length === 0 ? [] : [[...HEADINGS], ...linesOf(rows, "  raw: ")];
    const widths = HEADINGS.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
    const lines = cells.map((line) =>
      line
        .map((cell, column) =>
          column === 0 || column === HEADINGS.length - 1
            ? cell.padEnd(widths[column] ?? 0)
            : cell.padStart(widths[column] ?? 0),
        )
        .join("  ")
        .trimEnd(),
    );
    return [title, ...lines, ...(failure === null ? [] : [`  FAILED: ${failure}`])].join("\n");
  });
  return `${tables.join("\n\n")}\n`;
}

/** For a repository. */
export function renderMarkdown(report: Report): string {
  const { machine, startedAt, runs, loadSeconds } = report;
  const facts = [
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGib} GiB, ${machine.architecture}, Linux ${machine.kernel}`,
    `${machine.engine}, cgroups ${machine.cgroups}, ${machine.storageDriver}; Node ${machine.node}`,
    `commit ${machine.commit}; load before the start ${machine.loadBefore}`,
    `${runs} runs a measurement, ${loadSeconds} s of load a request`,
  ];
  const tables = report.measurements.map(({ title, rows, failure }) =>
    [
      `## ${title}`,
      "",
      markdownLine([...HEADINGS]),
      markdownLine(HEADINGS.map((_, column) => (column === 0 ? "---" : "--:"))),
      ...linesOf(rows, "raw: ").map(markdownLine),
      ...(failure === null ? [] : ["", `**Failed:** ${failure}`]),
    ].join("\n"),
  );
  return `${[`# Benchmark of ${startedAt.slice(0, 10)}`, facts.map((fact) => `- ${fact}`).join("\n"), ...tables].join("\n\n")}\n`;
}

function markdownLine(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

/** A line for each row, and below it one for its raw limit where that has not been shown yet. */
function linesOf(rows: readonly ReportedRow[], rawPrefix: string): string[][] {
  const shown = new Set<string>();
  return rows.flatMap((row) => {
    const { title, summary, unit, ratio, baseline } = row;
    const own = [
      title,
      ...numbers(summary, unit),
      ratio === null ? "" : `${ratio.toFixed(1)}×`,
      renderTarget(row),
    ];
    const key = `${baseline?.title} ${unit}`;
    if (baseline === null || shown.has(key)) return [own];
    shown.add(key);
    return [own, [`${rawPrefix}${baseline.title}`, ...numbers(baseline.summary, unit), "", ""]];
  });
}

function numbers({ samples, min, median, p90, p99, max }: Summary, unit: Unit): string[] {
  return [String(samples), ...[min, median, p90, p99, max].map((value) => renderValue(value, unit))];
}

function renderTarget({ target, unit }: ReportedRow): string {
  if (target === null) return "";
  const { statistic, atMost, met } = target;
  return `${statistic} ≤ ${renderValue(atMost, unit)}: ${met ? "met" : "missed"}`;
}

function renderValue(value: number, unit: Unit): string {
  switch (unit) {
    case "ms":
      return value < 10 ? `${value.toFixed(1)} ms` : `${Math.round(value)} ms`;
    case "per second":
      return `${Math.round(value)}/s`;
    case "count":
      return String(value);
  }
}
