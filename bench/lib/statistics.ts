/** What a series of samples comes to; all in the unit of the samples. */
export interface Summary {
  readonly samples: number;
  readonly min: number;
  readonly median: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
}

/** Null where nothing was measured. */
export function summarize(samples: readonly number[]): Summary | null {
  const sorted = samples.toSorted((a, b) => a - b);
  const first = sorted.at(0);
  const last = sorted.at(-1);
  if (first === undefined || last === undefined) return null;
  return {
    samples: sorted.length,
    min: first,
    median: median(sorted),
    p90: percentile(sorted, 90),
    p99: percentile(sorted, 99),
    max: last,
  };
}

function median(sorted: readonly number[]): number {
  const upper = Math.floor(sorted.length / 2);
  const lower = Math.ceil(sorted.length / 2) - 1;
  return ((sorted[lower] ?? Number.NaN) + (sorted[upper] ?? Number.NaN)) / 2;
}

/** The nearest-rank percentile: always a value that was really measured, and with few samples the worst of them. */
function percentile(sorted: readonly number[], percent: number): number {
  const rank = Math.ceil((percent / 100) * sorted.length);
  return sorted[Math.max(0, rank - 1)] ?? Number.NaN;
}
