/** Which errors mean that the state database cannot be reached now, as opposed to a mistake of ours. */
const NETWORK_CODES: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);

/** SQLSTATEs; https://www.postgresql.org/docs/17/errcodes-appendix.html */
const SERVER_CODES: ReadonlySet<string> = new Set([
  "57P01", // admin_shutdown
  "57P02", // crash_shutdown
  "57P03", // cannot_connect_now
  "57P05", // idle_session_timeout
  "57014", // query_canceled: the statement timeout
  "25P03", // idle_in_transaction_session_timeout
  "25006", // read_only_sql_transaction: a standby, or one that was demoted
  "53300", // too_many_connections
  "53100", // disk_full
  "3D000", // invalid_catalog_name: the database is not there
]);

/** pg and pg-pool give these no code. */
const DRIVER_MESSAGES = [
  "timeout exceeded when trying to connect",
  "Connection terminated",
  "Query read timeout",
  "Client has encountered a connection error",
  "Client was closed and is not queryable",
  "Cannot use a pool after calling end on the pool",
  "the database system is",
  "terminating connection",
];

export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("code" in error && typeof error.code === "string") {
    const { code } = error;
    if (code === "ENOENT" || code === "EACCES") return isConnect(error);
    if (NETWORK_CODES.has(code) || SERVER_CODES.has(code) || code.startsWith("08")) return true;
  }
  return DRIVER_MESSAGES.some((message) => error.message.includes(message));
}

/** Of a Unix socket; a file that is missing has the same code. */
function isConnect(error: Error): boolean {
  return "syscall" in error && error.syscall === "connect";
}
