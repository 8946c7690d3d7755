import type { Measurement } from "../lib/measurement.ts";
import { initialize, PGBENCH_CLIENTS, transactionsPerSecond, withPgbench } from "../lib/pgbench.ts";
import { onlyMember, withReadyService } from "../lib/service.ts";
import type { SqlTarget } from "../lib/sql.ts";

const KINDS = { reads: ["--select-only"], writes: [] } as const;
const TITLES = { reads: "pgbench -S", writes: "pgbench TPC-B" } as const;

/** Transactions in a second: more is better; the ratio is what the endpoint leaves of the connection without it. */
export const overhead: Measurement = {
  name: "overhead",
  title: `The endpoint beside a connection to the member's own address, ${PGBENCH_CLIENTS} clients`,
  rows: kinds().map((kind) => ({
    title: `${TITLES[kind]}, through the endpoint`,
    series: `${kind} endpoint`,
    unit: "per second",
    baseline: { title: `${TITLES[kind]}, to the member itself`, series: `${kind} member` },
  })),
  run: (bench, samples) =>
    withReadyService(
      bench,
      { name: "overhead", cpu_millis: "1000", memory_gbs: "4" },
      async ({ id, target }) => {
        const { NetworkSettings } = await (await onlyMember(bench.engine, id)).inspect();
        const [network] = Object.values(NetworkSettings.Networks);
        if (!network) throw new Error("the member is in no network");
        const ways: readonly (readonly [string, SqlTarget])[] = [
          ["endpoint", target],
          ["member", { ...target, host: network.IPAddress, port: 5432 }],
        ];
        await withPgbench(bench, target.password, async (pgbench) => {
          await initialize(pgbench, target);
          for (let run = 1; run <= bench.runs; run += 1) {
            for (const kind of kinds()) {
              // Whoever comes first finds colder caches.
              for (const [way, where] of run % 2 === 1 ? ways : ways.toReversed()) {
                bench.report(`run ${run} of ${bench.runs}, ${TITLES[kind]}, ${way}`);
                const rate = await transactionsPerSecond(bench, pgbench, where, KINDS[kind]);
                samples.add(`${kind} ${way}`, rate);
              }
            }
          }
        });
      },
    ),
};

function kinds(): readonly (keyof typeof KINDS)[] {
  return ["reads", "writes"];
}
