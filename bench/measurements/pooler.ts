import type { Measurement, Row } from "../lib/measurement.ts";
import { initialize, PGBENCH_CLIENTS, transactionsPerSecond, withPgbench } from "../lib/pgbench.ts";
import { withReadyService } from "../lib/service.ts";
import type { SqlTarget } from "../lib/sql.ts";

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
  title: `The pooler beside the direct connection, ${PGBENCH_CLIENTS} clients`,
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
          await initialize(pgbench, target);
          for (let run = 1; run <= bench.runs; run += 1) {
            for (const kind of kinds()) {
              for (const way of WAYS) {
                bench.report(`run ${run} of ${bench.runs}, ${KINDS[kind].title}, ${way}`);
                samples.add(
                  `${kind} ${way}`,
                  await transactionsPerSecond(bench, pgbench, targets[way], KINDS[kind].options),
                );
              }
            }
          }
        });
      },
    ),
};

function kinds(): readonly Kind[] {
  return ["reads", "writes", "connects"];
}
