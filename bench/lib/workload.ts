/** A client that sends one small statement after the other at a steady pace, and notices every interruption. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { connect, type SqlTarget } from "./sql.ts";

const EVERY_MS = 5;
const RECONNECT_MS = 20;

export interface WorkloadResult {
  readonly succeeded: number;
  /** Statements that were sent and brought an error: what an application would have seen. */
  readonly failed: number;
  /** Connections refused or broken while it tried to come back. */
  readonly failedConnections: number;
  /** The longest time between two answers, or between an answer and the end: the pace of 5 ms is in it. */
  readonly longestGapMs: number;
}

export interface Workload {
  /** Forgets what was counted so far; the gap begins to count at the last answer. */
  readonly reset: () => void;
  readonly stop: () => Promise<WorkloadResult>;
}

/** Returns once the first statement has been answered. */
export async function startWorkload(
  target: SqlTarget,
  statement: string,
  signal: AbortSignal,
): Promise<Workload> {
  const client = await connect(target);
  await client.query(statement);
  const tally = createTally();
  const stopping = new AbortController();
  const ended = AbortSignal.any([signal, stopping.signal]);
  const running = keepAsking(target, statement, client, tally, ended);
  // Whoever stops the workload hears of its errors; until then they must not count as unhandled.
  running.catch(() => undefined);
  return {
    reset: tally.reset,
    async stop() {
      stopping.abort();
      await running;
      return tally.result();
    },
  };
}

async function keepAsking(
  target: SqlTarget,
  statement: string,
  first: Client,
  tally: Tally,
  ended: AbortSignal,
): Promise<void> {
  let client: Client | null = first;
  let dueAt = performance.now();
  while (!ended.aborted) {
    if (client === null) {
      await pause(RECONNECT_MS, ended);
      client = await connect(target).catch(() => null);
      if (client === null) tally.connectionFailed();
      continue;
    }
    try {
      await client.query(statement);
      tally.succeeded();
    } catch {
      tally.failed();
      void client.end().catch(() => undefined);
      client = null;
    }
    // A late answer moves the pace instead of being followed by a burst.
    dueAt = Math.max(dueAt + EVERY_MS, performance.now());
    await pause(Math.max(0, dueAt - performance.now()), ended);
  }
  await client?.end().catch(() => undefined);
}

async function pause(ms: number, ended: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: ended }).catch(() => undefined);
}

export interface Tally {
  readonly succeeded: () => void;
  readonly failed: () => void;
  readonly connectionFailed: () => void;
  readonly reset: () => void;
  readonly result: () => WorkloadResult;
}

/** @param now milliseconds that only ever go forward */
export function createTally(now: () => number = () => performance.now()): Tally {
  let counts = { succeeded: 0, failed: 0, failedConnections: 0, longestGapMs: 0 };
  let lastAnswerAt = now();
  const sinceLastAnswer = () => Math.max(counts.longestGapMs, now() - lastAnswerAt);
  return {
    succeeded() {
      counts = { ...counts, succeeded: counts.succeeded + 1, longestGapMs: sinceLastAnswer() };
      lastAnswerAt = now();
    },
    failed() {
      counts = { ...counts, failed: counts.failed + 1 };
    },
    connectionFailed() {
      counts = { ...counts, failedConnections: counts.failedConnections + 1 };
    },
    reset() {
      counts = { succeeded: 0, failed: 0, failedConnections: 0, longestGapMs: 0 };
    },
    result: () => ({ ...counts, longestGapMs: sinceLastAnswer() }),
  };
}
