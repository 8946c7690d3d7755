/** Everything of ours inside a service's databases, made current by the primary's superuser, from inside its container. */
import type { Step, StepOutcome } from "../../planner/step.ts";
import type { ServiceIdentity } from "../platform.ts";
import { statusCode } from "./container.ts";
import type { Context } from "./context.ts";
import { findNetwork } from "./network.ts";
import { patroniClient } from "./patroni-client.ts";
import { type Ran, runIn } from "./run-in.ts";
import { renderSystemSql } from "./system-sql.ts";

type SetRoles = Extract<Step, { kind: "setRoles" }>;

const TIMEOUT_MS = 20_000;
/** Below the timeout, so that nothing goes on unseen. */
const STATEMENT_TIMEOUT = "10s";
/** psql's way to say that a statement has failed. */
const SCRIPT_FAILED = 3;

const COMMAND = [
  "env",
  `PGOPTIONS=-c statement_timeout=${STATEMENT_TIMEOUT}`,
  "psql",
  "--no-psqlrc",
  "--quiet",
  "--output=/dev/null",
  "--set=ON_ERROR_STOP=1",
  // What PostgreSQL says of an error may quote the statement, and that holds passwords.
  "--set=VERBOSITY=sqlstate",
  "--host=/run",
  "--username=postgres",
  "--dbname=postgres",
  "--file=-",
];

export async function setRoles(
  context: Context,
  { ordinal, passwordVersion }: SetRoles,
  { serviceId, secrets }: ServiceIdentity,
): Promise<StepOutcome> {
  const { docker, names } = context;
  const network = await findNetwork(docker, names.network(serviceId));
  const address = network?.addressOf("firstMember", ordinal);
  const status = address ? await patroniClient(address, secrets.patroniPassword).status() : null;
  if (status?.role !== "primary") return { kind: "wait", why: `member ${ordinal} does not lead now` };
  try {
    const sql = renderSystemSql({ secrets, passwordVersion });
    const container = docker.getContainer(names.member(serviceId, ordinal));
    return outcome(await runIn(container, COMMAND, TIMEOUT_MS, sql), ordinal);
  } catch (error) {
    // Gone, or no longer running.
    const status = statusCode(error);
    if (status !== 404 && status !== 409) throw error;
    return { kind: "wait", why: `member ${ordinal} does not run` };
  }
}

function outcome({ exitCode, output }: Ran, ordinal: number): StepOutcome {
  if (exitCode === 0) return { kind: "done" };
  const sqlState = /\b[0-9A-Z]{5}\b(?=\s*$)/.exec(output)?.[0];
  return exitCode === SCRIPT_FAILED
    ? { kind: "failed", why: `PostgreSQL refused (${sqlState ?? "without telling why"})` }
    : { kind: "wait", why: `member ${ordinal} cannot be reached by psql (${exitCode})` };
}
