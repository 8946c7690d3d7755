/** What becomes of two readings of a node: gauges stay, counters become rates. Pure. */
import { METRICS, type MetricName } from "../contract/metrics.ts";
import type { Counter, NodeUsage } from "../platforms/platform.ts";

/** Over a longer gap a rate would say nothing about now. */
const LONGEST_GAP_MS = 60_000;

const RATES: Readonly<Partial<Record<MetricName, Counter>>> = {
  io_read_bytes_per_second: "ioReadBytes",
  io_write_bytes_per_second: "ioWriteBytes",
  transactions_per_second: "transactions",
  rollbacks_per_second: "rollbacks",
  queries_per_second: "queries",
  wal_bytes_per_second: "walBytes",
  deadlocks_per_second: "deadlocks",
  temp_bytes_per_second: "tempBytes",
};

/**
 * The values of a sample, in the places of the contract's list; null: not known.
 *
 * @param before the reading before this one, of the same node; null: there is none
 */
export function valuesOf(now: NodeUsage, before: NodeUsage | null): readonly (number | null)[] {
  const known = new Map<string, number>(Object.entries(now.gauges));
  const put = (name: MetricName, value: number | null) => {
    if (value !== null) known.set(name, value);
  };
  const rate = (counter: Counter) => perSecond(now, before, counter);
  for (const { name } of METRICS) {
    const counter = RATES[name];
    if (counter) put(name, rate(counter));
  }
  const cpu = rate("cpuSeconds");
  put("cpu_millis", cpu === null ? null : cpu * 1000);
  const [hit, read] = [rate("blocksHit"), rate("blocksRead")];
  // Where nothing was read there is no ratio.
  put("cache_hit_ratio", hit === null || read === null || hit + read === 0 ? null : hit / (hit + read));
  return METRICS.map(({ name }) => known.get(name) ?? null);
}

/** null where the two do not compare: of different lives, too far apart, or of a counter that was reset. */
function perSecond(now: NodeUsage, before: NodeUsage | null, counter: Counter): number | null {
  const [value, past] = [now.counters[counter], before?.counters[counter]];
  if (value === undefined || past === undefined || !before || before.epoch !== now.epoch) return null;
  const gapMs = now.readAtMs - before.readAtMs;
  if (gapMs <= 0 || gapMs > LONGEST_GAP_MS || value < past) return null;
  return ((value - past) * 1000) / gapMs;
}
