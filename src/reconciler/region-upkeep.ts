/**
 * What the API promises without asking a platform, kept true: how much room each region has, and a stock of endpoint
 * ports that were seen free a moment ago.
 */
import { withDeadline } from "../lib/deadline.ts";
import type { Log } from "../lib/log.ts";
import type { Capacity, Platform } from "../platforms/platform.ts";
import { reasonOf } from "./execute.ts";
import { ANSWER_WITHIN_MS, startUpkeep, type Upkeep } from "./upkeep.ts";

/** The part of the store that knows regions. */
export interface RegionBook {
  report(regionCode: string, capacity: Capacity): Promise<void>;
  /** The platform does not answer. */
  reportProblem(regionCode: string, message: string): Promise<void>;
  spareCount(regionCode: string): Promise<number>;
  taken(regionCode: string): Promise<ReadonlySet<number>>;
  add(regionCode: string, ports: readonly number[]): Promise<void>;
}

/** Two for each of the services to come. */
const SPARE_PORTS = 128;
const REPORT_EVERY_MS = 10_000;
const STOCK_EVERY_MS = 5_000;

/** Reports the region and fills its stock, once. Throws what the platform or the store throws, and DeadlineExceeded. */
export async function keepRegion(
  book: RegionBook,
  regionCode: string,
  platform: Platform,
  answerWithinMs = ANSWER_WITHIN_MS,
): Promise<void> {
  const capacity = withDeadline(answerWithinMs, platform.capacity());
  await book.report(regionCode, await answerOf(book, regionCode, capacity));
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
  const taken = await book.taken(regionCode);
  const free = withDeadline(ANSWER_WITHIN_MS, platform.freePorts(missing, taken));
  const ports = await answerOf(book, regionCode, free);
  if (ports.length > 0) await book.add(regionCode, ports);
}

/** What a platform gives as its reason for not answering is told to the operator; nothing else that may go wrong is. */
async function answerOf<T>(book: RegionBook, regionCode: string, asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    await book.reportProblem(regionCode, reasonOf(error));
    throw error;
  }
}
