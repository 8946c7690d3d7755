import { useQuery } from "@tanstack/react-query";
import { useQueries } from "../../../data/queries.ts";
import type { TimeRange } from "../../../data/time-range.ts";
import type { ChartKind } from "./charts.ts";

const GB = 1024 ** 3;

/** The limits that are in force now, in the units of the metrics; null: there is none, or it is not known. */
export function useLimits(
  serviceId: string,
  range: TimeRange,
): Readonly<Record<NonNullable<ChartKind["limit"]>, number | null>> {
  const queries = useQueries();
  const { data: service } = useQuery(queries.service(serviceId));
  const { data: most } = useQuery(queries.series(serviceId, "max_connections", range));
  const { cpu_millis, memory_gbs } = service?.resources[0]?.spec ?? {};
  const ends = (most?.series ?? []).map(
    ({ data }) => data.findLast(({ value }) => value !== null)?.value ?? null,
  );
  return {
    cpu: cpu_millis ?? null,
    memory: memory_gbs === undefined ? null : memory_gbs * GB,
    connections: ends.find((value) => value !== null) ?? null,
    whole: 1,
  };
}
