/** Members' logs for the API, which knows no platform. */

import { ApiError } from "../contract/errors.ts";
import { withDeadline } from "../lib/deadline.ts";
import type { LogQuery, MemberLogs } from "../lib/member-logs.ts";
import type { Platform } from "../platforms/platform.ts";

const DEADLINE_MS = 20_000;
/** Each reading is a process inside every member that it asks. */
const AT_ONCE = 8;

/** What it returns throws where the platform does not answer in time, and TOO_MANY_REQUESTS. */
export function createLogReader(platforms: ReadonlyMap<string, Pick<Platform, "logs">>) {
  let underWay = 0;
  return async (regionCode: string, serviceId: string, query: LogQuery): Promise<MemberLogs | null> => {
    const platform = platforms.get(regionCode);
    if (!platform) throw new Error(`there is no platform for the region ${regionCode}`);
    if (underWay >= AT_ONCE) throw tooMany();
    underWay += 1;
    // What goes on after its deadline counts until it ends.
    const reading = platform.logs(serviceId, query).finally(() => {
      underWay -= 1;
    });
    return withDeadline(DEADLINE_MS, reading);
  };
}

function tooMany(): ApiError {
  return new ApiError(
    "TOO_MANY_REQUESTS",
    `${AT_ONCE} logs are being read already, and no more may at a time`,
    {
      headers: { "retry-after": "1" },
    },
  );
}
