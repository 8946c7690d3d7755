/** The CPU of the last hour of the services that are on the screen: one request for all of them. */
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { keys } from "../../data/queries.ts";
import { useAccount, useClient } from "../../session/client.tsx";
import { now } from "../../session/clock.ts";
import { type Line, linesOf } from "./cpu-lines.ts";

const HOUR_MS = 3_600_000;
const BUCKET_MS = 60_000;
const REFRESH_MS = 30_000;
/** While somebody scrolls, nothing is asked for. */
const SETTLED_MS = 150;
/** As many as the API takes at once; no screen shows more. */
const MOST = 100;

/** Millicores, a value a minute, by the ids of services. */
export function useCpuLines(serviceIds: readonly string[]): Readonly<Record<string, Line>> {
  const client = useClient();
  const { projectId } = useAccount();
  const [settled] = useDebouncedValue(serviceIds.slice(0, MOST).toSorted().join(), SETTLED_MS);
  const { data } = useQuery({
    queryKey: [...keys.project(projectId), "cpu-lines", settled],
    queryFn: async ({ signal }) => {
      // Up to the last minute that is whole: one that has just begun would look like a fall.
      const to = Math.floor(now() / BUCKET_MS) * BUCKET_MS;
      const asked = settled.split(",");
      const body = {
        service_ids: asked,
        name: "cpu_millis",
        from: new Date(to - HOUR_MS).toISOString(),
        to: new Date(to).toISOString(),
        bucket_seconds: BUCKET_MS / 1_000,
      };
      return linesOf(asked, await client.getProjectMetricSeries(body, { signal }));
    },
    enabled: settled !== "",
    staleTime: REFRESH_MS,
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  return data ?? NONE;
}

const NONE = {};
