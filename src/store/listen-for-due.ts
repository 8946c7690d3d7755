import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { connectionConfig } from "./db.ts";
import { DUE_CHANNEL, EVENTS_CHANNEL } from "./wake.ts";

const FIRST_BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 5_000;
const CONNECT_TIMEOUT_MS = 2_000;

/**
 * Calls onDue whenever a service has become due, on a connection of its own, until the signal aborts; resolves then.
 * Reconnects by itself. What happened in between was missed, so onDue is called after each connect too.
 */
export async function listenForDue(
  databaseUrl: string,
  onDue: () => void,
  signal: AbortSignal,
): Promise<void> {
  return listen(databaseUrl, DUE_CHANNEL, onDue, signal);
}

/** The same for events that may have been written. */
export async function listenForEvents(
  databaseUrl: string,
  onEvents: () => void,
  signal: AbortSignal,
): Promise<void> {
  return listen(databaseUrl, EVENTS_CHANNEL, onEvents, signal);
}

async function listen(
  databaseUrl: string,
  channel: string,
  onHeard: () => void,
  signal: AbortSignal,
): Promise<void> {
  let backoffMs = FIRST_BACKOFF_MS;
  while (!signal.aborted) {
    const heard = await listenOnce(databaseUrl, channel, onHeard, signal);
    if (heard) backoffMs = FIRST_BACKOFF_MS;
    await sleep(backoffMs, undefined, { signal }).catch(() => {});
    backoffMs = Math.min(backoffMs * 2, LONGEST_BACKOFF_MS);
  }
}

/** One connection, from its beginning to its end. Returns whether it ever listened. */
async function listenOnce(
  databaseUrl: string,
  channel: string,
  onHeard: () => void,
  signal: AbortSignal,
): Promise<boolean> {
  const client = new Client({
    ...connectionConfig(databaseUrl, `howdah, listening to ${channel}`),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAliveInitialDelayMillis: 10_000,
  });
  const over = Promise.withResolvers<void>();
  const finish = () => over.resolve();
  client.once("end", finish);
  client.on("error", finish);
  signal.addEventListener("abort", finish);
  client.on("notification", onHeard);
  try {
    await client.connect();
    await client.query(`listen ${channel}`);
    onHeard();
    await over.promise;
    return true;
  } catch {
    return false;
  } finally {
    signal.removeEventListener("abort", finish);
    await client.end().catch(() => {});
  }
}
