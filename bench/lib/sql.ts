import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { DeadlineExceeded, messageOf } from "./deadline.ts";

/** Where a database answers, and as whom. */
export interface SqlTarget {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  /** As sslmode=require means it: encrypted, whoever signed the certificate. */
  readonly tls: boolean;
}

const CONNECT_TIMEOUT_MS = 1_000;
const QUERY_TIMEOUT_MS = 10_000;
const POLL_MS = 10;
/** With the time a connection has, it bounds how many are tried at once: 10. */
const PATIENCE_MS = 100;

/** A connected client; the caller ends it. Throws what the connection failed with. */
export async function connect(target: SqlTarget): Promise<Client> {
  const { tls, ...where } = target;
  const client = new Client({
    ...where,
    ssl: tls ? { rejectUnauthorized: false } : false,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
  });
  // A connection that breaks while idle is noticed by the next query; without a listener it would end the process.
  client.on("error", () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    void client.end().catch(() => undefined);
    throw error;
  }
}

/**
 * Connects again and again, 10 ms after each failure, until `SELECT 1` is answered. A connection that is accepted but
 * gets no answer (a port that is published before anything listens behind it) is not waited for: the next one is
 * tried beside it.
 * Returns the moment of the answer (performance.now()). Throws DeadlineExceeded.
 */
export async function firstSelect(
  target: SqlTarget,
  deadlineMs: number,
  signal: AbortSignal,
): Promise<number> {
  const giveUpAt = performance.now() + deadlineMs;
  const answered = Promise.withResolvers<number>();
  let lastError: unknown;
  const attempt = async (): Promise<null> => {
    try {
      const client = await connect(target);
      await client.query("select 1").finally(() => void client.end().catch(() => undefined));
      answered.resolve(performance.now());
    } catch (error) {
      lastError = error;
    }
    return null;
  };
  while (performance.now() < giveUpAt) {
    const tried = [attempt(), sleep(PATIENCE_MS, null, { signal })];
    // Listed first, an answer wins over the end of the attempt that brought it.
    const at = await Promise.race([answered.promise, ...tried]);
    if (at !== null) return at;
    await sleep(POLL_MS, undefined, { signal });
  }
  throw new DeadlineExceeded(
    `no SELECT 1 from port ${target.port} in ${deadlineMs / 1_000} s (${messageOf(lastError)})`,
    { cause: lastError },
  );
}
