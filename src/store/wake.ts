import { sql } from "kysely";
import type { Db } from "./db.ts";

/** What reconcilers listen on. */
export const DUE_CHANNEL = "howdah_due";

interface Waker {
  underWay: boolean;
  /** Something became due since the notification under way was sent. */
  again: boolean;
}

const wakers = new WeakMap<Db, Waker>();

/**
 * Tells every reconciler that something is due. Called after the commit of a change, not inside: PostgreSQL commits
 * transactions that notify one after another, each waiting for the disk, which bounded all changes to some 200 a second.
 * A wake-up that is lost in between costs at most the second after which reconcilers look by the clock.
 *
 * Does not wait and never fails; many calls at once become one or two notifications.
 */
export function wake(db: Db): void {
  const waker = wakers.get(db) ?? { underWay: false, again: false };
  wakers.set(db, waker);
  if (waker.underWay) {
    waker.again = true;
    return;
  }
  void notify(db, waker);
}

async function notify(db: Db, waker: Waker): Promise<void> {
  waker.underWay = true;
  try {
    do {
      waker.again = false;
      await sql`select pg_notify(${DUE_CHANNEL}, '')`.execute(db);
    } while (waker.again);
  } catch {
    // The state database is away: when it is back, reconcilers look by themselves.
  } finally {
    waker.underWay = false;
  }
}
