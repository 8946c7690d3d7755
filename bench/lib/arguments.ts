import { parseArgs } from "node:util";

export const MEASUREMENT_NAMES = [
  "create",
  "ha",
  "latency",
  "resize",
  "power",
  "fork",
  "pooler",
  "list",
  "console",
  "events",
  "failover",
  "planned",
  "losses",
  "metrics",
  "overhead",
] as const;
export type MeasurementName = (typeof MEASUREMENT_NAMES)[number];

export interface Arguments {
  readonly only: readonly MeasurementName[];
  readonly runs: number;
  /** How long each HTTP request is measured under load, in all. */
  readonly loadSeconds: number;
  /** Too little is measured to be kept. */
  readonly quick: boolean;
  readonly help: boolean;
}

export const USAGE = `npm run bench -- [options]

  --only LIST   of ${MEASUREMENT_NAMES.join(",")}; all of them unless said otherwise
  --runs N      runs of each measurement, 1 to 100 (7; the latency one counts seconds instead)
  --quick       2 runs and 2 seconds: shows that everything works, measures little, writes no results
  --help        this text
`;

const MAX_RUNS = 100;

/** Throws an Error that tells what would be accepted. */
export function readArguments(argv: readonly string[]): Arguments {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      only: { type: "string" },
      runs: { type: "string" },
      quick: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const runs = Number(values.runs ?? (values.quick ? 2 : 7));
  if (!Number.isInteger(runs) || runs < 1 || runs > MAX_RUNS)
    throw new Error(`--runs takes a whole number from 1 to ${MAX_RUNS}`);
  return {
    only: values.only === undefined ? MEASUREMENT_NAMES : values.only.split(",").map(measurementName),
    runs,
    loadSeconds: values.quick ? 2 : 10,
    quick: values.quick,
    help: values.help,
  };
}

function measurementName(text: string): MeasurementName {
  const found = MEASUREMENT_NAMES.find((name) => name === text.trim());
  if (found === undefined)
    throw new Error(`--only takes a list of ${MEASUREMENT_NAMES.join(", ")}; "${text}" is none of them`);
  return found;
}
