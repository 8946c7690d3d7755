/** How long a fault at the primary keeps clients from writing. */
import { setTimeout as sleep } from "node:timers/promises";
import { DeadlineExceeded, messageOf } from "./deadline.ts";
import { connect, type SqlTarget } from "./sql.ts";

const EVERY_MS = 25;
/** One that gets no answer is not waited for; others are tried beside it. It bounds how many there are. */
const MOST_AT_ONCE = 12;
const TABLE = "create table if not exists alive (at timestamptz not null)";
/** Tells the server that wrote, and since when it has run, from every other one. */
const WRITE = `insert into alive values (now())
  returning concat_ws(' ', inet_server_addr(), pg_postmaster_start_time()) as server`;

/** Which server takes writes now; also makes what firstWriteElsewhere writes to. */
export async function writer(target: SqlTarget): Promise<string> {
  const client = await connect(target);
  try {
    await client.query(TABLE);
    return serverIn(await client.query(WRITE));
  } finally {
    await client.end();
  }
}

/**
 * Connects and writes again and again, every 25 ms, as some clients would, until a write is acknowledged by another server
 * than `fallen`, or by that one after a restart. Returns the moment of it (performance.now()). Throws DeadlineExceeded.
 */
export async function firstWriteElsewhere(
  target: SqlTarget,
  fallen: string,
  deadlineMs: number,
  signal: AbortSignal,
): Promise<number> {
  const giveUpAt = performance.now() + deadlineMs;
  let acknowledgedAt: number | null = null;
  let lastError: unknown;
  let open = 0;
  const attempt = async () => {
    open += 1;
    try {
      const client = await connect(target);
      const server = serverIn(
        await client.query(WRITE).finally(() => void client.end().catch(() => undefined)),
      );
      if (server !== fallen) acknowledgedAt ??= performance.now();
    } catch (error) {
      lastError = error;
    }
    open -= 1;
  };
  while (performance.now() < giveUpAt) {
    if (open < MOST_AT_ONCE) void attempt();
    await sleep(EVERY_MS, undefined, { signal });
    if (acknowledgedAt !== null) return acknowledgedAt;
  }
  throw new DeadlineExceeded(`nobody took writes in ${deadlineMs / 1_000} s (${messageOf(lastError)})`, {
    cause: lastError,
  });
}

function serverIn({ rows }: { readonly rows: readonly { readonly server?: unknown }[] }): string {
  return String(rows[0]?.server);
}
