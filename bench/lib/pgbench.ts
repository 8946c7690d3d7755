/** PostgreSQL's own load generator. */
import { runLabels } from "./engine-objects.ts";
import { execIn } from "./exec.ts";
import type { Bench } from "./measurement.ts";
import type { SqlTarget } from "./sql.ts";

export const PGBENCH_CLIENTS = 8;
const SCALE = 10;
const START_SLACK_MS = 30_000;

export type Pgbench = (target: SqlTarget, options: readonly string[]) => Promise<string>;

export async function transactionsPerSecond(
  { loadSeconds }: Bench,
  pgbench: Pgbench,
  target: SqlTarget,
  options: readonly string[],
): Promise<number> {
  const output = await pgbench(target, [
    "--no-vacuum",
    `--client=${PGBENCH_CLIENTS}`,
    "--jobs=2",
    `--time=${loadSeconds}`,
    ...options,
  ]);
  const tps = /^tps = ([\d.]+)/m.exec(output)?.[1];
  if (tps === undefined) throw new Error(`pgbench told no rate: ${output.slice(0, 300)}`);
  return Number(tps);
}

/** From the service image, on the host's network, as a client on this machine would be. */
export async function withPgbench(
  { engine, image, runId, signal, loadSeconds }: Bench,
  password: string,
  use: (pgbench: Pgbench) => Promise<void>,
): Promise<void> {
  const container = await engine.createContainer({
    Image: image,
    Cmd: ["sleep", "infinity"],
    // A password for one run of the bench, on this machine alone: the environment is good enough for it.
    Env: [`PGPASSWORD=${password}`, "PGSSLMODE=require"],
    Labels: runLabels(runId),
    HostConfig: { NetworkMode: "host", Init: true },
  });
  try {
    await container.start();
    await use((target, options) => {
      const where = [`--host=${target.host}`, `--port=${target.port}`, `--username=${target.user}`];
      const command = ["pgbench", ...where, ...options, target.database];
      return execIn(engine, container, command, loadSeconds * 1_000 + START_SLACK_MS, signal);
    });
  } finally {
    await container.remove({ force: true, v: true });
  }
}

export async function initialize(pgbench: Pgbench, target: SqlTarget): Promise<void> {
  await pgbench(target, ["--initialize", "--quiet", `--scale=${SCALE}`]);
}
