import type { Command } from "commander";
import type { Client, LogQuery, LogRecords } from "../../client/index.ts";
import { pause } from "../../client/pause.ts";
import { cleanDetail, paint } from "../../lib/progress-line.ts";
import { usesColor } from "./change.ts";
import { findService } from "./find-service.ts";
import { addServiceCommand, type OutputOption, outputOption, parseCount, parseDuration } from "./options.ts";
import type { OpenServiceCli, ServiceCli } from "./service-cli.ts";

interface Options extends OutputOption {
  readonly follow?: true;
  readonly node?: string;
  /** Milliseconds. */
  readonly since?: number;
  readonly search?: readonly string[];
  readonly severity?: readonly string[];
  readonly limit: number;
}

type Entry = LogRecords["entries"][number];

const DEFAULT_LIMIT = 100;
const FOLLOW_EVERY_MS = 1_000;
/** While following: how far back is asked again, since members do not write at the same moment. */
const OVERLAP_MS = 5_000;
const MOST_PAGES = 20;

const RED = "31";
const YELLOW = "33";
const COLORS: Readonly<Record<string, string>> = {
  WARNING: YELLOW,
  ERROR: RED,
  FATAL: RED,
  PANIC: RED,
};

export function addLogs(service: Command, open: OpenServiceCli): void {
  addServiceCommand(service, "logs", "read PostgreSQL's own log, of all members", [
    "logs orders",
    "logs orders -f --severity ERROR FATAL",
    "logs orders --node 1 --since 1h --search deadlock -o json",
  ])
    .option("-f, --follow", "go on with what is written from now on, until Ctrl-C")
    .option("--node <member>", "of one member: its number or its name")
    .option("--since <duration>", "not older than this: 90s, 10m, 1h", parseDuration)
    .option("--search <text...>", "with all of these texts in it, whatever their case")
    .option("--severity <severity...>", "of these severities: LOG, WARNING, ERROR, …")
    .option("--limit <count>", "how many entries at most, the newest", parseCount, DEFAULT_LIMIT)
    .addOption(outputOption())
    .action(async (idOrName: string, options: Options) => {
      const cli = await open();
      const { service_id } = await findService(cli.client, idOrName);
      const query = queryOf(options);
      const entries = await newest(cli.client, service_id, query, options.limit);
      write(cli, options, entries);
      if (options.follow) await follow(cli, service_id, options, query, entries);
    });
}

function queryOf({ node, since, search, severity }: Options): LogQuery {
  return {
    ...(node === undefined ? {} : { node }),
    ...(since === undefined ? {} : { since: new Date(Date.now() - since).toISOString() }),
    ...(search === undefined ? {} : { search }),
    ...(severity === undefined ? {} : { severities: severity.map((one) => one.toUpperCase()) }),
  };
}

/** Oldest first: the newest stands where the eye is. */
async function newest(
  client: Client,
  serviceId: string,
  query: LogQuery,
  limit: number,
  signal?: AbortSignal,
): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES && entries.length < limit; page += 1) {
    const call = signal ? { signal } : {};
    const found = await client.getServiceLogs(serviceId, { ...query, ...(cursor ? { cursor } : {}) }, call);
    entries.push(...found.entries);
    cursor = found.last_cursor;
    if (cursor === undefined) break;
  }
  return entries.slice(0, limit).toReversed();
}

/** Returns at Ctrl-C. What was written at the same moment as the last line is asked for again, and told once. */
async function follow(
  cli: ServiceCli,
  serviceId: string,
  options: Options,
  query: LogQuery,
  before: readonly Entry[],
): Promise<void> {
  const told = new Map(before.map((entry) => [keyOf(entry), Date.parse(entry.timestamp)]));
  let last = Math.max(Date.now() - OVERLAP_MS, ...told.values());
  await cli.interruptible(async (signal) => {
    while (!signal.aborted) {
      await pause(FOLLOW_EVERY_MS, signal).catch(() => undefined);
      if (signal.aborted) return;
      const since = last - OVERLAP_MS;
      const found = await newest(
        cli.client,
        serviceId,
        { ...query, since: new Date(since).toISOString() },
        Infinity,
        signal,
      ).catch((error: unknown) => {
        if (signal.aborted) return [];
        throw error;
      });
      write(
        cli,
        options,
        found.filter((entry) => !told.has(keyOf(entry)) && Date.parse(entry.timestamp) >= since),
      );
      for (const entry of found) told.set(keyOf(entry), Date.parse(entry.timestamp));
      last = Math.max(last, ...told.values());
      for (const [key, at] of told) if (at < last - 2 * OVERLAP_MS) told.delete(key);
    }
  });
}

function keyOf({ timestamp, node, severity, message }: Entry): string {
  return JSON.stringify([timestamp, node, severity, message]);
}

function write(cli: ServiceCli, { output }: OutputOption, entries: readonly Entry[]): void {
  for (const entry of entries) {
    const text = output === "json" ? JSON.stringify(entry) : renderEntry(entry, usesColor(cli));
    cli.stdout.write(`${text}\n`);
  }
}

/** What belongs to an entry beside its first line is indented. */
export function renderEntry({ timestamp, node, severity, message }: Entry, color: boolean): string {
  const lines = message.split("\n").map(cleanDetail);
  const head = [timestamp, node ?? "", paint(severity, COLORS[severity] ?? "0", color && severity in COLORS)];
  return `${head.join("  ")}  ${lines.join("\n    ")}`;
}
