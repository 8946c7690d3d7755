import type Docker from "dockerode";
import { DeadlineExceeded } from "./deadline.ts";
import { execIn } from "./exec.ts";

const POLL_S = 0.02;
/** A base copy receives WAL while it runs, under this name, and is no standby. */
const NO_STANDBY = "pg_basebackup";

/**
 * Waits inside a primary, as its superuser, until a standby streams; the service's own role may not see that.
 * Returns the moment it was seen (performance.now()). Throws DeadlineExceeded or ExecFailed.
 *
 * @param socketFolder where the primary's socket is
 */
export async function untilStreaming(
  engine: Docker,
  primary: Docker.Container,
  socketFolder: string,
  deadlineMs: number,
  signal: AbortSignal,
): Promise<number> {
  const streaming = `from pg_stat_replication where state = 'streaming' and application_name <> '${NO_STANDBY}'`;
  const polls = Math.ceil(deadlineMs / 1_000 / POLL_S);
  const script = [
    // psql's own loop ends with the first answer that has no row.
    `select 1 where not exists (select ${streaming}) \\watch i=${POLL_S} c=${polls} m=1`,
    `select 'streaming' ${streaming} limit 1;`,
  ].join("\n");
  const psql = `psql --host=${socketFolder} --username=postgres --dbname=postgres -XAtq --set=ON_ERROR_STOP=1`;
  const shell = ["sh", "-c", `printf '%s\\n' "$0" | ${psql}`, script];
  // The polls end by themselves at the deadline; the rest is for a container too busy to keep their pace.
  const answer = await execIn(engine, primary, shell, deadlineMs * 2, signal);
  const seenAt = performance.now();
  if (!answer.includes("streaming"))
    throw new DeadlineExceeded(`no standby streamed in ${deadlineMs / 1_000} s`);
  return seenAt;
}
