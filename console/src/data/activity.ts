/** The project's events, page by page, and each new one as it happens. */
import { type InfiniteData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import type { EventRecord } from "../../../src/client/index.ts";
import { isWanted } from "../../../src/contract/event-types.ts";
import { useAccount, useClient } from "../session/client.tsx";
import { useEvents } from "./live.ts";

const PAGE = 50;

export interface ActivityFilter {
  /** null: of every service, and of none. */
  readonly serviceId: string | null;
  /** As the API's filter takes them; null: all. */
  readonly types: readonly string[] | null;
}

type Pages = InfiniteData<readonly EventRecord[], string>;

/** Newest first. */
export function useActivity({ serviceId, types }: ActivityFilter) {
  const client = useClient();
  const { projectId } = useAccount();
  const queryClient = useQueryClient();
  const queryKey = useMemo(
    () => [projectId, "activity", serviceId, types] as const,
    [projectId, serviceId, types],
  );
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      client.listEvents(
        {
          limit: PAGE,
          ...(pageParam === "" ? {} : { before: pageParam }),
          ...(serviceId === null ? {} : { serviceId }),
          ...(types === null ? {} : { types }),
        },
        { signal },
      ),
    // Events that came while nobody looked were added to nothing.
    staleTime: 0,
    initialPageParam: "",
    getNextPageParam: (page) => (page.length < PAGE ? undefined : page.at(-1)?.id),
  });
  useEvents(
    useCallback(
      (event: EventRecord) => {
        if (serviceId !== null && event.service_id !== serviceId) return;
        if (types !== null && !isWanted(event.type, types)) return;
        queryClient.setQueryData<Pages>(queryKey, (pages) => pages && withNewest(pages, event));
      },
      [queryClient, queryKey, serviceId, types],
    ),
  );
  const events = useMemo(() => query.data?.pages.flat(), [query.data]);
  return { ...query, events };
}

/** The stream and a page that is read at the same time may tell the same event. */
function withNewest(pages: Pages, event: EventRecord): Pages {
  const [first = [], ...older] = pages.pages;
  if (first.some(({ id }) => id === event.id)) return pages;
  return { ...pages, pages: [[event, ...first], ...older] };
}
