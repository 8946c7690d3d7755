import type { Measurement } from "../lib/measurement.ts";
import { initialize, PGBENCH_CLIENTS, transactionsPerSecond, withPgbench } from "../lib/pgbench.ts";
import { addressOf, withReadyService } from "../lib/service.ts";
import type { SqlTarget } from "../lib/sql.ts";

const KINDS = { reads: ["--select-only"], writes: [] } as const;
const TITLES = { reads: "pgbench -S", writes: "pgbench TPC-B" } as const;

const WAYS = {
  gateway: "through the gateway",
  loopback: "through the engine's proxy and the gateway",
} as const;

/**
 * Transactions in a second: more is better; the ratio is what is left of the connection to the member itself. Clients on other
 * machines come to the gateway's address; those on this machine's loopback come through the engine's own proxy as well.
 */
export const overhead: Measurement = {
  name: "overhead",
  title: `The endpoint beside a connection to the member's own address, ${PGBENCH_CLIENTS} clients`,
  rows: kinds().flatMap((kind) =>
    (["gateway", "loopback"] as const).map((way) => ({
      title: `${TITLES[kind]}, ${WAYS[way]}`,
      series: `${kind} ${way}`,
      unit: "per second" as const,
      baseline: { title: `${TITLES[kind]}, to the member itself`, series: `${kind} member` },
    })),
  ),
  run: (bench, samples) =>
    withReadyService(
      bench,
      { name: "overhead", cpu_millis: "1000", memory_gbs: "4" },
      async ({ id, target }) => {
        const inside = (host: string): SqlTarget => ({ ...target, host, port: 5432 });
        const ways: readonly (readonly [string, SqlTarget])[] = [
          ["loopback", target],
          ["gateway", inside(await addressOf(bench.engine, id, "gateway"))],
          ["member", inside(await addressOf(bench.engine, id, "member"))],
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
