/** What happened to the service, with who and why. */
import { SegmentedControl, Stack, Text } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useActivity } from "../../../data/activity.ts";
import { EVENT_KIND_CHOICES, typesOf } from "../../../ui/event-kinds.ts";
import { EventTimeline } from "../../../ui/event-timeline.tsx";
import { Panel } from "../../../ui/panel.tsx";
import classes from "./events.module.css";

export function EventsTab() {
  const { serviceId } = useParams({ from: "/signed-in/services/$serviceId/events" });
  const [kind, setKind] = useState("all");
  const activity = useActivity({ serviceId, types: typesOf(kind) });
  const { events, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = activity;
  return (
    <Stack gap="md">
      <div className={classes["kinds"]}>
        <SegmentedControl
          size="sm"
          aria-label="Which events"
          value={kind}
          onChange={setKind}
          data={EVENT_KIND_CHOICES}
        />
      </div>
      <Panel>
        <EventTimeline
          events={events}
          error={error}
          onRetry={() => void refetch()}
          onOlder={hasNextPage ? () => void fetchNextPage() : undefined}
          loadingOlder={isFetchingNextPage}
          empty={kind === "all" ? undefined : <Text c="dimmed">Nothing of this kind has happened yet.</Text>}
        />
      </Panel>
    </Stack>
  );
}
