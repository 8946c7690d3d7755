import type { Measurement } from "../lib/measurement.ts";
import { memberAt, untilTrusted } from "../lib/members.ts";
import { startNumbering } from "../lib/numbering.ts";
import { CHANGE_DEADLINE_MS, withReadyService } from "../lib/service.ts";
import { connect } from "../lib/sql.ts";
import { writer } from "../lib/takeover.ts";

/** In turns: what ends at once, and what hangs and could wake up. */
const FAULTS = ["kill", "pause"] as const;

export const losses: Measurement = {
  name: "losses",
  title:
    "Primaries with a synchronous replica, killed and paused in turns, under 4 writers that number every write",
  rows: [
    {
      title: "acknowledged writes that are missing afterwards",
      series: "missing",
      unit: "count",
      target: { statistic: "max", atMost: 0 },
    },
    {
      title: "acknowledged by a primary after another had acknowledged",
      series: "stale",
      unit: "count",
      target: { statistic: "max", atMost: 0 },
    },
    { title: "acknowledged writes, in each run", series: "acknowledged", unit: "count" },
  ],
  run: (bench, samples) =>
    withReadyService(bench, { name: "losses", replica_count: 1 }, async ({ id, target }) => {
      const { engine, controlPlane, signal } = bench;
      await controlPlane.api.setHa(id, { sync_replica_count: 1 });
      await controlPlane.api.untilReady(id, CHANGE_DEADLINE_MS);
      const owner = await connect(target);
      await owner.query("create table numbered (writer int, n int, primary key (writer, n))");
      await owner.end();
      for (let run = 1; run <= bench.runs; run += 1) {
        const fault = FAULTS[run % FAULTS.length] ?? "kill";
        bench.report(`run ${run} of ${bench.runs}, ${fault}`);
        await untilTrusted(engine, id, signal);
        const member = await memberAt(engine, id, await writer(target));
        const numbering = await startNumbering(target, signal);
        await member[fault]();
        await controlPlane.api.untilStatus(id, "READY", CHANGE_DEADLINE_MS);
        await numbering.untilMore();
        const { acknowledged, missing, stale } = await numbering.stop();
        samples.add("acknowledged", acknowledged);
        samples.add("missing", missing);
        samples.add("stale", stale);
      }
    }),
};
