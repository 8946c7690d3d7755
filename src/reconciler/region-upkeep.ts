/**
 * What the API promises without asking a platform, kept true: how much room each region has, and a stock of endpoint
 * ports that were seen free a moment ago.
 */
import type { Log } from "../lib/log.ts";
import type { Capacity, Platform } from "../platforms/platform.ts";
import { startUpkeep, type Upkeep } from "./upkeep.ts";

/** The part of the store that knows regions. */
export interface RegionBook {
  report(regionCode: string, capacity: Capacity): Promise<void>;
  spareCount(regionCode: string): Promise<number>;
  taken(regionCode: string): Promise<ReadonlySet<number>>;
  add(regionCode: string, ports: readonly number[]): Promise<void>;
}

/** Two for each of the services to come. */
const SPARE_PORTS = 128;
const REPORT_EVERY_MS = 30_000;
const STOCK_EVERY_MS = 5_000;

/** Reports the region and fills its stock, once. Throws what the platform or the store throws. */
export async function keepRegion(book: RegionBook, regionCode: string, platform: Platform): Promise<void> {
  await book.report(regionCode, await platform.capacity());
  await fillStock(book, regionCode, platform);
}

/** Goes on doing so until it is stopped, and outlives every failure. Poked when a service may have been created. */
export function startRegionUpkeep(
  book: RegionBook,
  platforms: ReadonlyMap<string, Platform>,
  log: Log,
): Upkeep {
  let reportedAt = performance.now();
  const look = async () => {
    const reportDue = performance.now() - reportedAt >= REPORT_EVERY_MS;
    for (const [code, platform] of platforms) {
      await (reportDue ? keepRegion(book, code, platform) : fillStock(book, code, platform));
    }
    if (reportDue) reportedAt = performance.now();
  };
  return startUpkeep(look, STOCK_EVERY_MS, log);
}

async function fillStock(book: RegionBook, regionCode: string, platform: Platform): Promise<void> {
  const missing = SPARE_PORTS - (await book.spareCount(regionCode));
  if (missing <= 0) return;
  const ports = await platform.freePorts(missing, await book.taken(regionCode));
  if (ports.length > 0) await book.add(regionCode, ports);
}
