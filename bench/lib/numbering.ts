/** Writers that number every write and keep every acknowledgement, with the history that acknowledged it. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { until } from "./deadline.ts";
import { connect, type SqlTarget } from "./sql.ts";

const WRITERS = 4;
const EVERY_MS = 5;
const RECONNECT_MS = 20;
const MORE = 50;
const MORE_WITHIN_MS = 60_000;
/** The timeline, as the first part of a WAL file's name: it grows with every promotion. */
const WRITE = `insert into numbered values ($1, $2)
  returning ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int as timeline`;

interface Acknowledgement {
  readonly writer: number;
  readonly n: number;
  readonly timeline: number;
}

export interface Numbering {
  /** Waits until some more writes have been acknowledged. */
  readonly untilMore: () => Promise<void>;
  readonly stop: () => Promise<{
    readonly acknowledged: number;
    /** Acknowledged, and not in the table now. */
    readonly missing: number;
    /** Acknowledged on an older timeline after a newer one had acknowledged. */
    readonly stale: number;
  }>;
}

let numbered = 0;

/** Returns once writes are acknowledged. */
export async function startNumbering(target: SqlTarget, signal: AbortSignal): Promise<Numbering> {
  const acknowledged: Acknowledgement[] = [];
  const stopping = new AbortController();
  const ended = AbortSignal.any([signal, stopping.signal]);
  const writeOver = async (client: Client, writer: number) => {
    while (!ended.aborted) {
      numbered += 1;
      const n = numbered;
      const { rows } = await client.query(WRITE, [writer, n]);
      acknowledged.push({ writer, n, timeline: Number(rows[0]?.timeline) });
      await pause(EVERY_MS, ended);
    }
  };
  const writeOn = async (writer: number) => {
    while (!ended.aborted) {
      const client = await connect(target).catch(() => null);
      // Whether a write that failed is there is not known; it counts neither way.
      if (client) await writeOver(client, writer).catch(() => undefined);
      void client?.end().catch(() => undefined);
      await pause(RECONNECT_MS, ended);
    }
  };
  const writing = Promise.all(Array.from({ length: WRITERS }, (_, writer) => writeOn(writer)));
  const untilMore = async () => {
    const before = acknowledged.length;
    const what = "an acknowledged write";
    const patience = { what, deadlineMs: MORE_WITHIN_MS, everyMs: RECONNECT_MS, signal };
    await until(patience, async () => (acknowledged.length >= before + MORE ? true : undefined));
  };
  await untilMore();
  return {
    untilMore,
    async stop() {
      stopping.abort();
      await writing;
      return {
        acknowledged: acknowledged.length,
        missing: await countMissing(target, acknowledged),
        stale: countStale(acknowledged),
      };
    },
  };
}

async function countMissing(target: SqlTarget, acknowledged: readonly Acknowledgement[]): Promise<number> {
  const client = await connect(target);
  try {
    const { rows } = await client.query<{ writer: number; n: number }>("select writer, n from numbered");
    const there = new Set(rows.map(({ writer, n }) => `${writer} ${n}`));
    return acknowledged.filter(({ writer, n }) => !there.has(`${writer} ${n}`)).length;
  } finally {
    await client.end();
  }
}

/** In the order in which the acknowledgements came in. */
function countStale(acknowledged: readonly Acknowledgement[]): number {
  let newest = 0;
  let stale = 0;
  for (const { timeline } of acknowledged) {
    if (timeline < newest) stale += 1;
    newest = Math.max(newest, timeline);
  }
  return stale;
}

async function pause(ms: number, ended: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: ended }).catch(() => undefined);
}
