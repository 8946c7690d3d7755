/** What a measurement is: rows that say how to read what it collects, and the work that collects it. */
import type Docker from "dockerode";
import type { Report } from "../../src/setup/progress.ts";
import type { MeasurementName } from "./arguments.ts";
import type { ControlPlane } from "./control-plane.ts";

export type Unit = "ms" | "count" | "per second";

/** What the project sets itself to reach. Reported, never asserted. */
export interface Target {
  readonly statistic: "median" | "p99" | "max";
  readonly atMost: number;
}

export interface Row {
  readonly title: string;
  /** The name of the samples it shows. */
  readonly series: string;
  readonly unit: Unit;
  readonly target?: Target;
  /** The raw limit: what the same thing costs without Howdah, measured in the same run. */
  readonly baseline?: { readonly title: string; readonly series: string };
}

export interface Measurement {
  readonly name: MeasurementName;
  readonly title: string;
  readonly rows: readonly Row[];
  /** Whatever it throws ends this measurement alone; what it has collected by then is reported all the same. */
  readonly run: (bench: Bench, samples: Samples) => Promise<void>;
}

export interface Bench {
  readonly engine: Docker;
  /** The service image. */
  readonly image: string;
  /** On everything that is made in the engine; see engine-objects.ts. */
  readonly runId: string;
  readonly controlPlane: ControlPlane;
  readonly runs: number;
  readonly loadSeconds: number;
  /** Aborted when a person wants the bench to end. */
  readonly signal: AbortSignal;
  readonly report: Report;
}

/** Named series of numbers, in the order in which they were measured. */
export class Samples {
  readonly #series = new Map<string, number[]>();

  add(series: string, value: number): void {
    const values = this.#series.get(series);
    if (values) values.push(value);
    else this.#series.set(series, [value]);
  }

  of(series: string): readonly number[] {
    return this.#series.get(series) ?? [];
  }
}

/**
 * Runs Howdah's turn and the raw limit's in turns, so that what the machine does meanwhile meets both; which one
 * begins alternates too.
 */
export async function inTurns(
  bench: Bench,
  howdah: (run: number) => Promise<void>,
  raw: (run: number) => Promise<void>,
): Promise<void> {
  for (let run = 1; run <= bench.runs; run += 1) {
    const turns = run % 2 === 1 ? [howdah, raw] : [raw, howdah];
    for (const turn of turns) {
      bench.signal.throwIfAborted();
      bench.report(`run ${run} of ${bench.runs}, ${turn === howdah ? "Howdah" : "raw limit"}`);
      await turn(run);
    }
  }
}
