import type { Command } from "commander";
import type { SeriesRecords } from "../../client/index.ts";
import { renderColumns } from "../columns.ts";
import { print } from "./change.ts";
import { findService } from "./find-service.ts";
import { addServiceCommand, type OutputOption, outputOption, parseDuration } from "./options.ts";
import type { OpenServiceCli } from "./service-cli.ts";

interface Options extends OutputOption {
  /** Milliseconds. */
  readonly since: number;
}

const DEFAULT_SINCE = "1h";
const LEAST_BUCKET_S = 60;
/** Characters of a sparkline. */
const WIDTH = 40;
/** What is shown where no series is named. */
const OVERVIEW = [
  "cpu_millis",
  "memory_bytes",
  "storage_bytes",
  "connections",
  "transactions_per_second",
  "queries_per_second",
  "cache_hit_ratio",
  "replication_lag_bytes",
  "wal_bytes_per_second",
];

export function addMetrics(service: Command, open: OpenServiceCli): void {
  addServiceCommand(service, "metrics", "show what a service uses, and how that went", [
    "metrics orders",
    "metrics orders cpu_millis --since 24h",
    "metrics orders queries_per_second -o json",
  ])
    .argument("[series]", "one alone, such as cpu_millis; left out: the most telling ones")
    .option("--since <duration>", "from when on: 90s, 10m, 24h", parseDuration, parseDuration(DEFAULT_SINCE))
    .addOption(outputOption())
    .action(async (idOrName: string, name: string | undefined, options: Options) => {
      const cli = await open();
      const { service_id } = await findService(cli.client, idOrName);
      const to = new Date();
      const from = new Date(to.getTime() - options.since);
      const bucket = Math.max(LEAST_BUCKET_S, Math.ceil(options.since / 1000 / WIDTH));
      const found = await Promise.all(
        (name === undefined ? OVERVIEW : [name]).map(async (one) => ({
          name: one,
          series: await cli.client.getMetricSeries(service_id, {
            name: one,
            from: from.toISOString(),
            to: to.toISOString(),
            bucket_seconds: bucket,
          }),
        })),
      );
      print(cli, options, found, () => renderMetrics(found));
    });
}

export interface NamedSeries {
  readonly name: string;
  readonly series: SeriesRecords;
}

export function renderMetrics(found: readonly NamedSeries[]): string {
  const rows = found.flatMap(({ name, series }) =>
    series.map(({ labels, data }) => {
      const values = data.map(({ value }) => value);
      const known = values.filter((value) => value !== null);
      const shown = (value: number | undefined) => (value === undefined ? "" : renderValue(name, value));
      return [
        name,
        labels["node"] ?? "",
        labels["role"] ?? "",
        shown(known.at(-1)),
        shown(known.length === 0 ? undefined : Math.min(...known)),
        shown(known.length === 0 ? undefined : Math.max(...known)),
        sparkline(values),
      ];
    }),
  );
  if (rows.length === 0) return "Nothing was measured in that time.";
  return renderColumns(["series", "node", "role", "now", "least", "most", ""], rows);
}

const BLOCKS = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/** From nothing to the most; a gap is a space. */
export function sparkline(values: readonly (number | null)[]): string {
  const most = Math.max(0, ...values.map((value) => value ?? 0));
  return values
    .map((value) => {
      if (value === null) return " ";
      const height = most === 0 ? 0 : Math.round((value / most) * (BLOCKS.length - 1));
      return BLOCKS[Math.max(0, height)] ?? "";
    })
    .join("");
}

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];

/** Bytes as people read them; everything else with three digits or so. */
export function renderValue(name: string, value: number): string {
  if (!name.includes("bytes")) return Number(value.toPrecision(value < 1000 ? 3 : 6)).toString();
  const step = value < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(value) / 10));
  const unit = `${UNITS[step]}${name.endsWith("_per_second") ? "/s" : ""}`;
  return `${Number((value / 1024 ** step).toPrecision(3))} ${unit}`;
}
