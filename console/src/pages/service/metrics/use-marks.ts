import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useQueries } from "../../../data/queries.ts";
import type { Mark } from "../../../ui/chart/chart.tsx";

/** What may explain a bend in a line. */
const TYPES = [
  "service.role",
  "service.resize.accepted",
  "service.ha.accepted",
  "service.parameters.accepted",
  "service.start.accepted",
  "service.stop.accepted",
  "service.switchover.accepted",
  "service.withdrawn",
];

export function useMarks(serviceId: string): readonly Mark[] {
  const { data: events } = useQuery(useQueries().eventsOf(serviceId, TYPES));
  return useMemo(
    () => (events ?? []).map(({ at, message }) => ({ at: Date.parse(at) / 1_000, words: message })),
    [events],
  );
}
