/** What is measured of every node of a service, and how it is asked for. */
import { type Static, Type } from "typebox";

/** One kind of number, as series and as Prometheus tell it. */
interface Metric {
  readonly name: string;
  /** In a sentence, with the unit. */
  readonly help: string;
  /** Of Prometheus, without the prefix; left out: the same name. */
  readonly exported?: string;
  /** From the number that is kept to the one for Prometheus; left out: 1. */
  readonly scale?: number;
}

/** In the order in which samples keep them: new ones come at the end, and none is ever taken out. */
export const METRICS = [
  { name: "cpu_millis", help: "CPU in use.", exported: "cpu_cores", scale: 0.001 },
  { name: "memory_bytes", help: "Memory in use, without what can be read from disk again." },
  { name: "storage_bytes", help: "What databases and WAL take on the disk." },
  { name: "disk_total_bytes", help: "The size of the disk that the data is on." },
  { name: "disk_available_bytes", help: "What is left of that disk, for everything that is on it." },
  { name: "io_read_bytes_per_second", help: "Read from the disk." },
  { name: "io_write_bytes_per_second", help: "Written to the disk." },
  { name: "connections", help: "Sessions of clients." },
  { name: "active_connections", help: "Sessions of clients that run a statement." },
  { name: "max_connections", help: "How many sessions there may be." },
  { name: "transactions_per_second", help: "Transactions of clients, committed or rolled back." },
  { name: "rollbacks_per_second", help: "Transactions of clients that were rolled back." },
  { name: "queries_per_second", help: "Statements that clients have sent." },
  { name: "cache_hit_ratio", help: "The part of all blocks read that was in shared buffers, 0 to 1." },
  { name: "replication_lag_bytes", help: "WAL that a replica has still to replay." },
  { name: "replication_lag_seconds", help: "How long a replica takes to replay what its primary writes." },
  { name: "wal_bytes_per_second", help: "WAL written, or on a replica replayed." },
  { name: "wal_size_bytes", help: "WAL that is kept on the disk." },
  { name: "locks", help: "Locks held or waited for." },
  { name: "waiting_locks", help: "Locks waited for." },
  { name: "deadlocks_per_second", help: "Deadlocks that were broken." },
  { name: "temp_bytes_per_second", help: "Written to temporary files." },
] as const satisfies readonly Metric[];

export type MetricName = (typeof METRICS)[number]["name"];

/** Every metric's place in a sample. */
export function metricPlace(name: MetricName): number {
  return METRICS.findIndex((metric) => metric.name === name);
}

export function isMetricName(name: string): name is MetricName {
  return METRICS.some((metric) => metric.name === name);
}

/** How a metric is called for Prometheus, without the prefix, and what its values are multiplied by. */
export function exportedMetric(metric: Metric): { readonly name: string; readonly scale: number } {
  return { name: metric.exported ?? metric.name, scale: metric.scale ?? 1 };
}

export const NodeRole = Type.Union([Type.Literal("primary"), Type.Literal("replica")]);
export type NodeRole = Static<typeof NodeRole>;

/** The most points of one series in an answer. */
export const MOST_POINTS = 11_000;
export const LEAST_BUCKET_SECONDS = 60;
/** A leap year. */
const MOST_BUCKET_SECONDS = 366 * 86_400;

const SeriesFunction = Type.Union(
  [Type.Literal("avg"), Type.Literal("min"), Type.Literal("max"), Type.Literal("last")],
  { description: "What becomes of the samples in a bucket; avg where it is left out." },
);
export type SeriesFunction = Static<typeof SeriesFunction>;

const SERIES = {
  name: Type.String({
    maxLength: 64,
    description: "One of the names that available-series lists.",
    examples: ["cpu_millis"],
  }),
  from: Type.String({
    format: "date-time",
    description: "The first moment.",
    examples: ["2026-11-21T09:00:00Z"],
  }),
  to: Type.String({
    format: "date-time",
    description: "The moment after the last.",
    examples: ["2026-11-21T10:00:00Z"],
  }),
  bucket_seconds: Type.Optional(
    Type.Integer({
      minimum: LEAST_BUCKET_SECONDS,
      maximum: MOST_BUCKET_SECONDS,
      description: "How much time a point stands for. Left out: what gives a fitting number of points.",
    }),
  ),
  fn: Type.Optional(SeriesFunction),
};

const filters = (leftOut: string) =>
  Type.Optional(
    Type.Object(
      {
        node: Type.Optional(
          Type.String({
            pattern: "^(member-)?[0-9]{1,4}$",
            description: "a node's number, such as 0, or its name, such as member-0",
          }),
        ),
        role: Type.Optional(NodeRole),
      },
      { additionalProperties: false, description: leftOut },
    ),
  );

export const MetricSeriesBody = Type.Object(
  { ...SERIES, filters: filters("Left out: all nodes.") },
  { additionalProperties: false, title: "MetricSeriesRequest" },
);
export type MetricSeriesBody = Static<typeof MetricSeriesBody>;

/** More would make one answer too long for a list on a screen. */
const MAX_SERIES_SERVICES = 100;

export const ProjectMetricSeriesBody = Type.Object(
  {
    service_ids: Type.Array(Type.String({ maxLength: 64 }), {
      minItems: 1,
      maxItems: MAX_SERIES_SERVICES,
      description: `Services or read replica sets, 1 to ${MAX_SERIES_SERVICES}.`,
      examples: [["k3v9x0q2ab"]],
    }),
    ...SERIES,
    filters: filters("Left out: the primaries."),
  },
  { additionalProperties: false, title: "ProjectMetricSeriesRequest" },
);
export type ProjectMetricSeriesBody = Static<typeof ProjectMetricSeriesBody>;

export const MetricSeries = Type.Object(
  {
    labels: Type.Record(Type.String(), Type.String(), {
      description:
        "node, such as member-0, and role: primary or replica. A node that changes its role has a series for each. " +
        "service_id, where several services were asked for.",
    }),
    data: Type.Array(
      Type.Object({
        time: Type.String({ format: "date-time", description: "Where the bucket begins." }),
        value: Type.Unsafe<number | null>({
          type: ["number", "null"],
          description: "null: nothing is known.",
        }),
      }),
    ),
  },
  { title: "MetricSeries" },
);
export type MetricSeries = Static<typeof MetricSeries>;
