/** What was sent to a webhook, and what is still to be sent. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useAccount, useClient } from "../session/client.tsx";
import { keys } from "./queries.ts";

const PAGE = 20;
/** No event tells of a delivery. */
const LOOK_EVERY_MS = 5_000;

export function deliveriesKey(projectId: string, webhookId: string) {
  return [...keys.webhooks(projectId), webhookId, "deliveries"] as const;
}

/** Newest first. */
export function useDeliveries(webhookId: string) {
  const client = useClient();
  const { projectId } = useAccount();
  const query = useInfiniteQuery({
    queryKey: deliveriesKey(projectId, webhookId),
    queryFn: ({ pageParam, signal }) =>
      client.listWebhookDeliveries(
        webhookId,
        { limit: PAGE, ...(pageParam === "" ? {} : { before: pageParam }) },
        { signal },
      ),
    initialPageParam: "",
    getNextPageParam: (page) => (page.length < PAGE ? undefined : page.at(-1)?.id),
    refetchInterval: LOOK_EVERY_MS,
  });
  const deliveries = useMemo(() => query.data?.pages.flat(), [query.data]);
  return { ...query, deliveries };
}
