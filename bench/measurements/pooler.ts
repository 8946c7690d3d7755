import { runLabels } from "../lib/engine-objects.ts";
import { execIn } from "../lib/exec.ts";
import type { Bench, Measurement, Row } from "../lib/measurement.ts";
import { withReadyService } from "../lib/service.ts";
import type { SqlTarget } from "../lib/sql.ts";

const CLIENTS = 8;
const SCALE = 10;
const START_SLACK_MS = 30_000;

const WAYS = ["direct", "session pooling", "transaction pooling"] as const;
type Way = (typeof WAYS)[number];

const KINDS = {
  reads: { title: "pgbench -S, connections kept", options: ["--select-only"] },
  writes: { title: "pgbench TPC-B, connections kept", options: [] },
  connects: {
    title: "pgbench -S, a connection for each transaction",
    options: ["--select-only", "--connect"],
  },
} as const satisfies Record<string, { readonly title: string; readonly options: readonly string[] }>;
type Kind = keyof typeof KINDS;

/** Transactions in a second: more is better, and the ratio is to the direct connection in the same run. */
export const pooler: Measurement = {
  name: "pooler",
  title: `The pooler beside the direct connection, ${CLIENTS} clients`,
  rows: Object.entries(KINDS).flatMap(([kind, { title }]) => {
    const raw = { title: `${title}: direct`, series: `${kind} direct` };
    return WAYS.filter((way) => way !== "direct").map(
      (way): Row => ({
        title: `${title}: ${way}`,
        series: `${kind} ${way}`,
        unit: "per second",
        baseline: raw,
      }),
    );
  }),
  run: (bench, samples) =>
    withReadyService(
      bench,
      { name: "pooled", cpu_millis: "1000", memory_gbs: "4" },
      async ({ id, target }) => {
        const { host, port } =
          (await bench.controlPlane.api.enablePooler(id)).connection_pooler?.endpoint ?? {};
        if (host === undefined || port === undefined) throw new Error("the record tells of no pooler");
        const pooled = { ...target, host, port };
        const targets: Record<Way, SqlTarget> = {
          direct: target,
          "session pooling": pooled,
          "transaction pooling": { ...pooled, database: "tsdb_transaction" },
        };
        await withPgbench(bench, target.password, async (pgbench) => {
          await pgbench(target, ["--initialize", "--quiet", `--scale=${SCALE}`]);
          for (let run = 1; run <= bench.runs; run += 1) {
            for (const kind of kinds()) {
              for (const way of WAYS) {
                bench.report(`run ${run} of ${bench.runs}, ${KINDS[kind].title}, ${way}`);
                samples.add(
                  `${kind} ${way}`,
                  await transactionsPerSecond(bench, pgbench, targets[way], kind),
                );
              }
            }
          }
        });
      },
    ),
};

type Pgbench = (target: SqlTarget, options: readonly string[]) => Promise<string>;

async function transactionsPerSecond(
  { loadSeconds }: Bench,
  pgbench: Pgbench,
  target: SqlTarget,
  kind: Kind,
): Promise<number> {
  const output = await pgbench(target, [
    "--no-vacuum",
    `--client=${CLIENTS}`,
    "--jobs=2",
    `--time=${loadSeconds}`,
    ...KINDS[kind].options,
  ]);
  const tps = /^tps = ([\d.]+)/m.exec(output)?.[1];
  if (tps === undefined) throw new Error(`pgbench told no rate: ${output.slice(0, 300)}`);
  return Number(tps);
}

/** From the service image, on the host's network, as a client on this machine would be. */
async function withPgbench(
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

function kinds(): readonly Kind[] {
  return ["reads", "writes", "connects"];
}
