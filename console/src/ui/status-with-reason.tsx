/** A status that tells why it is so, to whoever asks: the list of services does not have the reasons. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useQueries } from "../data/queries.ts";
import { StatusBadge, StatusMark } from "./status-badge.tsx";

const NEWEST = { limit: 1 };

export function StatusWithReason({ serviceId, status }: { serviceId: string; status: string }) {
  const [asked, setAsked] = useState(false);
  return (
    <span
      style={{ position: "relative", zIndex: 1 }}
      onPointerEnter={() => setAsked(true)}
      onPointerLeave={() => setAsked(false)}
    >
      {asked ? <Asked serviceId={serviceId} status={status} /> : <StatusMark status={status} />}
    </span>
  );
}

function Asked({ serviceId, status }: { serviceId: string; status: string }) {
  const { data } = useQuery(useQueries().story(serviceId, NEWEST));
  // What is told of another status is no reason for this one.
  const reason = data?.status === status ? data.status_reason : undefined;
  return <StatusBadge status={status} reason={reason} />;
}
