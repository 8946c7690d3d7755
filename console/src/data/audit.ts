/** The project's audit, page by page, and as a file. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { AuditQuery } from "../../../src/client/index.ts";
import { useAccount, useClient } from "../session/client.tsx";

/** Newest first. */
export function useAudit(range: AuditQuery) {
  const client = useClient();
  const { projectId } = useAccount();
  const query = useInfiniteQuery({
    queryKey: [projectId, "audit", range],
    queryFn: ({ pageParam, signal }) =>
      client.listAuditRecords({ ...range, ...(pageParam === "" ? {} : { cursor: pageParam }) }, { signal }),
    initialPageParam: "",
    getNextPageParam: (page) => page.next_cursor,
  });
  const records = useMemo(() => query.data?.pages.flatMap((page) => page.records), [query.data]);
  return { ...query, records };
}
