/** Queries for the API, which knows neither platforms nor databases. */
import type { QueryAnswer, QueryBody } from "../contract/query.ts";
import type { DatabaseAddress } from "../lib/database-address.ts";
import { withDeadline } from "../lib/deadline.ts";
import type { Platform } from "../platforms/platform.ts";
import { unreachable } from "./refusals.ts";
import { runQuery } from "./run-query.ts";
import { createSlots } from "./slots.ts";

const LOCATE_DEADLINE_MS = 5_000;

export interface QueriedService {
  readonly regionCode: string;
  readonly serviceId: string;
  /** The service that it reads from; null: it has a primary of its own. */
  readonly readsFrom: string | null;
}

/** null: there are no databases. Throws where none of them takes connections. */
export type Locate = (service: QueriedService) => Promise<DatabaseAddress | null>;

export function locateOn(platforms: ReadonlyMap<string, Pick<Platform, "databaseAddress">>): Locate {
  return async ({ regionCode, serviceId, readsFrom }) => {
    const platform = platforms.get(regionCode);
    if (!platform) throw new Error(`there is no platform for the region ${regionCode}`);
    return withDeadline(LOCATE_DEADLINE_MS, platform.databaseAddress(serviceId, readsFrom));
  };
}

/**
 * What it returns gives null where there are no databases, and throws TOO_MANY_REQUESTS, UNAVAILABLE,
 * DATABASE_LOGIN_REFUSED, QUERY_FAILED, QUERY_TIMEOUT, and the signal's reason.
 */
export function createQueryRunner(locate: Locate) {
  const slots = createSlots();
  return async (
    service: QueriedService,
    publicKey: string,
    body: QueryBody,
    signal: AbortSignal,
  ): Promise<QueryAnswer | null> => {
    const release = slots.take(service.serviceId, publicKey);
    try {
      const address = await locate(service).catch((error: unknown) => {
        throw unreachable(error);
      });
      return address && (await runQuery(address, body, signal));
    } finally {
      release();
    }
  };
}
