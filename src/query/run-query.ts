/** Runs the SQL of one request in a session of its own. */
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "../contract/errors.ts";
import { QUERY_BOUNDS, type QueryAnswer, type QueryBody, type QueryResult } from "../contract/query.ts";
import type { DatabaseAddress } from "../lib/database-address.ts";
import { withDeadline } from "../lib/deadline.ts";
import { type Collected, Collector } from "./collector.ts";
import { queryRefusal, timedOut } from "./refusals.ts";
import { openSession, type Session } from "./session.ts";

const EXPLAIN = {
  plan: "EXPLAIN (FORMAT JSON, COSTS, VERBOSE off) ",
  analyze: "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ",
} as const;

/** What is asked beside the caller's own SQL takes no time, but where the server hangs. */
const ASIDE_WITHIN_MS = 5_000;

/** Of a plan there is one row; whoever asks for few rows means those of results. */
const ROWS_OF_A_PLAN = 1;

/**
 * Throws DATABASE_LOGIN_REFUSED, UNAVAILABLE, QUERY_FAILED, QUERY_TIMEOUT, and the signal's reason, which cancels what
 * runs and ends the connection.
 */
export async function runQuery(
  address: DatabaseAddress,
  body: QueryBody,
  signal: AbortSignal,
): Promise<QueryAnswer> {
  signal.throwIfAborted();
  const session = await openSession(address, body, signal);
  const onAbort = () => void session.abandon();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    signal.throwIfAborted();
    return await runIn(session, body);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", onAbort);
    await session.end();
  }
}

async function runIn(session: Session, body: QueryBody): Promise<QueryAnswer> {
  const { client, notices } = session;
  const { explain = "none", timeout_seconds = QUERY_BOUNDS.seconds.usual } = body;
  // What EXPLAIN ANALYZE has changed ends with the connection, which commits nothing.
  if (explain === "analyze")
    await aside(session, "begin").catch((error: unknown) => {
      throw queryRefusal(error, 0, timeout_seconds);
    });
  const beganAt = performance.now();
  const collector = await collect(session, body);
  const duration_ms = Math.round((performance.now() - beganAt) * 10) / 10;
  if (explain !== "none") return { results: [], plan: planIn(collector), notices, duration_ms };

  // Anything but "idle" is a transaction that nobody will end.
  const leftOpen = client.getTransactionStatus() !== "I";
  if (leftOpen) {
    // The end of the connection would do.
    await aside(session, "rollback").catch(() => undefined);
    notices.push({
      severity: "WARNING",
      message: "the transaction was left open, and has been rolled back: a query ends with its connection",
    });
  }
  if (collector.dropped > 0)
    notices.push({
      severity: "NOTICE",
      message: `${collector.dropped} more results came; ${QUERY_BOUNDS.results} are shown`,
    });
  const types = await typeNames(session, collector.results);
  const results = collector.results.map((one) => present(one, types));
  return { results, notices, duration_ms };
}

function aside({ client }: Session, text: string, values: unknown[] = []) {
  return withDeadline(ASIDE_WITHIN_MS, client.query<{ name?: string }>(text, values));
}

interface Course {
  /** null: it was not ended by us. */
  endedBy: "full" | "late" | "too long" | null;
  passedOn: Promise<void>;
}

/** Resolves with everything that came within the bounds. */
async function collect(session: Session, body: QueryBody): Promise<Collector> {
  const { sql, explain = "none", read_only = true } = body;
  const { max_rows = QUERY_BOUNDS.rows.usual, timeout_seconds = QUERY_BOUNDS.seconds.usual } = body;
  const prefix = explain === "none" ? "" : EXPLAIN[explain];
  const course: Course = { endedBy: null, passedOn: Promise.resolve() };
  const endBy = (why: Course["endedBy"]) => {
    course.endedBy = why;
    course.passedOn = session.cancel();
  };
  const collector = new Collector({
    sql: prefix + sql,
    single: explain !== "none",
    maxRows: explain === "none" ? max_rows : ROWS_OF_A_PLAN,
    onFull: () => {
      if (read_only && course.endedBy === null) endBy("full");
    },
    onTooLong: () => {
      course.endedBy = "too long";
    },
  });
  const deadline = new AbortController();
  void sleep(timeout_seconds * 1_000, undefined, { signal: deadline.signal }).then(
    () => endBy("late"),
    () => undefined,
  );
  try {
    session.client.query(collector);
    await collector.done;
  } catch (error) {
    const { endedBy } = course;
    if (endedBy === "late") throw timedOut(timeout_seconds, error);
    if (endedBy === "too long") throw tooLong();
    if (endedBy !== "full" || !isCanceled(error)) throw queryRefusal(error, prefix.length, timeout_seconds);
    if (maybeSeveral(sql))
      session.notices.push({
        severity: "NOTICE",
        message: "the query was stopped where its limit was reached; statements after that were not run",
      });
  } finally {
    deadline.abort();
  }
  // A cancel that is still on its way would hit the next statement.
  await course.passedOn;
  session.keep();
  return collector;
}

/** Only PostgreSQL knows: a semicolon may stand in a text as well. */
function maybeSeveral(sql: string): boolean {
  return /;\s*\S/.test(sql);
}

function isCanceled(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "57014";
}

function tooLong(): ApiError {
  const megabytes = (2 * QUERY_BOUNDS.bytes) / 1024 ** 2;
  return new ApiError("QUERY_FAILED", `a single row is larger than ${megabytes} MB`, {
    details: "Ask for fewer columns, or for a part of the value with substr.",
  });
}

function planIn({ results }: Collector): unknown {
  const text = results[0]?.rows[0]?.[0];
  if (text === undefined || text === null)
    throw new ApiError("QUERY_FAILED", "the plan is larger than what is answered", {
      details: `${QUERY_BOUNDS.bytes / 1024 ** 2} MB are.`,
    });
  return JSON.parse(text);
}

type TypeNames = ReadonlyMap<string, string>;

const TYPES_QUERY = `
  select pg_catalog.format_type(type, modifier) as name
    from rows from (pg_catalog.unnest($1::pg_catalog.oid[]), pg_catalog.unnest($2::pg_catalog.int4[]))
         with ordinality as t (type, modifier, place)
   order by place`;

/** By what a column says of its type. */
async function typeNames(session: Session, results: readonly Collected[]): Promise<TypeNames> {
  const types = new Map(results.flatMap(({ fields }) => fields).map((field) => [typeKey(field), field]));
  if (types.size === 0) return new Map();
  const asked = [...types.values()];
  const values = [asked.map((one) => one.dataTypeID), asked.map((one) => one.dataTypeModifier)];
  // Results are there; a name that is missing is no reason to lose them.
  const found = await aside(session, TYPES_QUERY, values).catch(() => null);
  const names = found?.rows ?? [];
  return new Map([...types.keys()].map((key, index) => [key, names[index]?.name ?? "unknown"]));
}

function typeKey({ dataTypeID, dataTypeModifier }: Collected["fields"][number]): string {
  return `${dataTypeID} ${dataTypeModifier}`;
}

function present(one: Collected, types: TypeNames): QueryResult {
  return {
    command: one.command,
    columns: one.fields.map((field) => ({
      name: field.name,
      type: types.get(typeKey(field)) ?? "unknown",
    })),
    rows: one.rows.map((row) => [...row]),
    row_count: one.rowCount,
    truncated: one.truncated,
  };
}
