/**
 * What the API promises without asking a platform, kept true: how much room each region has, and a stock of endpoint
 * ports that were seen free a moment ago.
 */
import type { Log } from "../lib/log.ts";
import type { Capacity, Platform } from "../platforms/platform.ts";
import { createDoorbell } from "./doorbell.ts";
import { createOutage } from "./outage.ts";

/** The part of the store that knows regions. */
export interface RegionBook {
  report(regionCode: string, capacity: Capacity): Promise<void>;
  spareCount(regionCode: string): Promise<number>;
  taken(regionCode: string): Promise<ReadonlySet<number>>;
  add(regionCode: string, ports: readonly number[]): Promise<void>;
}

export interface RegionUpkeep {
  /** Looks at the stock soon, since a service may have been created. */
  poke(): void;
  stop(): Promise<void>;
}

/** Two for each of the services to come. */
const SPARE_PORTS = 128;
const REPORT_EVERY_MS = 30_000;
const STOCK_EVERY_MS = 5_000;
/** A burst of creates is answered by one look after each of these. */
const POKED_AT_MOST_EVERY_MS = 100;

/** Reports the region and fills its stock, once. Throws what the platform or the store throws. */
export async function keepRegion(book: RegionBook, regionCode: string, platform: Platform): Promise<void> {
  await book.report(regionCode, await platform.capacity());
  await fillStock(book, regionCode, platform);
}

/** Goes on doing so until it is stopped, and outlives every failure. */
export function startRegionUpkeep(
  book: RegionBook,
  platforms: ReadonlyMap<string, Platform>,
  log: Log,
): RegionUpkeep {
  const bell = createDoorbell();
  const stopping = new AbortController();
  const outage = createOutage("the platform or the state database", log);
  let reportedAt = performance.now();

  const look = async (): Promise<number> => {
    try {
      const reportDue = performance.now() - reportedAt >= REPORT_EVERY_MS;
      for (const [code, platform] of platforms) {
        await (reportDue ? keepRegion(book, code, platform) : fillStock(book, code, platform));
      }
      if (reportDue) reportedAt = performance.now();
      outage.over();
      return STOCK_EVERY_MS;
    } catch (error) {
      return outage.failed(error);
    }
  };
  const run = async () => {
    let waitMs = STOCK_EVERY_MS;
    for (;;) {
      await bell.wait(waitMs);
      if (stopping.signal.aborted) return;
      waitMs = await look();
    }
  };
  const ended = run();
  let poked: NodeJS.Timeout | null = null;
  return {
    poke() {
      poked ??= setTimeout(() => {
        poked = null;
        bell.ring();
      }, POKED_AT_MOST_EVERY_MS);
    },
    async stop() {
      if (poked) clearTimeout(poked);
      stopping.abort();
      bell.ring();
      await ended;
    },
  };
}

async function fillStock(book: RegionBook, regionCode: string, platform: Platform): Promise<void> {
  const missing = SPARE_PORTS - (await book.spareCount(regionCode));
  if (missing <= 0) return;
  const ports = await platform.freePorts(missing, await book.taken(regionCode));
  if (ports.length > 0) await book.add(regionCode, ports);
}
