import { describe, expect, it } from "vitest";
import { type Measurement, Samples } from "./measurement.ts";
import { type Report, renderMarkdown, renderText, reportMeasurement } from "./report.ts";

const measurement: Measurement = {
  name: "create",
  title: "Create",
  rows: [
    {
      title: "create → SQL",
      series: "own",
      unit: "ms",
      target: { statistic: "median", atMost: 2_500 },
      baseline: { title: "PostgreSQL alone", series: "raw" },
    },
    { title: "never measured", series: "nothing", unit: "ms" },
  ],
  run: () => Promise.resolve(),
};

function samplesOf(series: Readonly<Record<string, readonly number[]>>): Samples {
  const samples = new Samples();
  for (const [name, values] of Object.entries(series)) for (const value of values) samples.add(name, value);
  return samples;
}

function reportOf(
  series: Readonly<Record<string, readonly number[]>>,
  failure: string | null = null,
): Report {
  return {
    startedAt: "2026-11-21T10:00:00.000Z",
    machine: {
      cpu: "a processor",
      cores: 2,
      memoryGib: 23,
      architecture: "x64",
      kernel: "6.18.0",
      engine: "Docker 20.10",
      cgroups: "v1",
      storageDriver: "overlay2",
      node: "24.0.0",
      commit: "abc1234",
      loadBefore: 0.1,
    },
    runs: 2,
    loadSeconds: 2,
    measurements: [reportMeasurement({ measurement, samples: samplesOf(series), failure })],
  };
}

describe("a reported row", () => {
  it("compares medians with the raw limit and the target's own statistic with the target", () => {
    const [row] = reportOf({ own: [1_000, 2_000, 9_000], raw: [500] }).measurements[0]?.rows ?? [];
    expect(row).toMatchObject({ ratio: 4, target: { statistic: "median", atMost: 2_500, met: true } });
  });

  it("misses a target by a hair", () => {
    const [row] = reportOf({ own: [2_500.01] }).measurements[0]?.rows ?? [];
    expect(row?.target?.met).toBe(false);
  });

  it("has no ratio to a raw limit of zero, and none without one", () => {
    expect(reportOf({ own: [1], raw: [0] }).measurements[0]?.rows[0]?.ratio).toBeNull();
    expect(reportOf({ own: [1] }).measurements[0]?.rows[0]).toMatchObject({ baseline: null, ratio: null });
  });

  it("keeps the single values of a few runs, and leaves out those of thousands", () => {
    const many = Array.from({ length: 1_000 }, () => 5);
    expect(reportOf({ own: [3, 1] }).measurements[0]?.rows[0]?.values).toEqual([3, 1]);
    expect(reportOf({ own: many }).measurements[0]?.rows[0]?.values).toBeNull();
  });

  it("is left out where nothing was measured", () => {
    expect(reportOf({ own: [1] }).measurements[0]?.rows.map(({ title }) => title)).toEqual(["create → SQL"]);
  });
});

describe("the table", () => {
  it("shows a row above its raw limit", () => {
    expect(renderText(reportOf({ own: [1_900, 2_000], raw: [600, 601] }))).toBe(
      [
        "Create",
        "                         n      min   median      p90      p99      max  ratio  target",
        "create → SQL             2  1900 ms  1950 ms  2000 ms  2000 ms  2000 ms   3.3×  median ≤ 2500 ms: met",
        "  raw: PostgreSQL alone  2   600 ms   601 ms   601 ms   601 ms   601 ms",
        "",
      ].join("\n"),
    );
  });

  it("shows a raw limit that several rows share only once", () => {
    const shared: Measurement = {
      ...measurement,
      rows: ["own", "other"].map((series) => ({
        title: series,
        series,
        unit: "ms",
        baseline: { title: "PostgreSQL alone", series: "raw" },
      })),
    };
    const samples = samplesOf({ own: [10], other: [20], raw: [5] });
    const reported = reportMeasurement({ measurement: shared, samples, failure: null });
    const text = renderText({ ...reportOf({}), measurements: [reported] });
    expect(text.match(/PostgreSQL alone/g)).toHaveLength(1);
    expect(text).toMatch(/other .* 4\.0×/);
  });

  it("shows why a measurement failed, beside what it had by then", () => {
    const text = renderText(reportOf({ own: [7] }, "the engine went away"));
    expect(text).toContain("create → SQL");
    expect(text).toContain("FAILED: the engine went away");
  });

  it("says in Markdown on what kind of machine it was measured", () => {
    const text = renderMarkdown(reportOf({ own: [7] }));
    expect(text).toContain("# Benchmark of 2026-11-21");
    expect(text).toContain("a processor, 2 cores, 23 GiB");
    expect(text).toContain("| create → SQL | 1 | 7.0 ms |");
  });
});
