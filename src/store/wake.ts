import { sql } from "kysely";
import type { Db } from "./db.ts";

/** What reconcilers listen on. */
export const DUE_CHANNEL = "howdah_due";
/** What those who pass events on listen on. */
export const EVENTS_CHANNEL = "howdah_events";

type Channel = typeof DUE_CHANNEL | typeof EVENTS_CHANNEL;

interface Waker {
  underWay: boolean;
  /** What happened since the notification under way was sent. */
  readonly next: Set<Channel>;
}

const wakers = new WeakMap<Db, Waker>();

/**
 * Tells every reconciler that something is due, and that there is an event about it. Called after the commit of a
 * change, not inside: PostgreSQL commits transactions that notify one after another, each waiting for the disk, which
 * bounded all changes to some 200 a second. A wake-up that is lost in between costs at most the second after which
 * everybody looks by the clock.
 *
 * Does not wait and never fails; many calls at once become one or two notifications.
 */
export function wake(db: Db): void {
  ring(db, [DUE_CHANNEL, EVENTS_CHANNEL]);
}

/** The same for what is only told, and leaves nothing to do. */
export function wakeReaders(db: Db): void {
  ring(db, [EVENTS_CHANNEL]);
}

function ring(db: Db, channels: readonly Channel[]): void {
  const waker = wakers.get(db) ?? { underWay: false, next: new Set() };
  wakers.set(db, waker);
  for (const channel of channels) waker.next.add(channel);
  if (!waker.underWay) void notify(db, waker);
}

async function notify(db: Db, waker: Waker): Promise<void> {
  waker.underWay = true;
  try {
    while (waker.next.size > 0) {
      const channels = [...waker.next];
      waker.next.clear();
      await sql`select pg_notify(channel, '') from unnest(${channels}::text[]) as channel`.execute(db);
    }
  } catch {
    // The state database is away: when it is back, everybody looks by themselves.
    waker.next.clear();
  } finally {
    waker.underWay = false;
  }
}
