/** The newest events of the service. */
import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useQueries } from "../../../data/queries.ts";
import { EventTimeline } from "../../../ui/event-timeline.tsx";
import { Panel } from "../../../ui/panel.tsx";

const SHOWN = 8;

export function LatestEvents({ serviceId }: { serviceId: string }) {
  const { data: story, error, refetch } = useQuery(useQueries().story(serviceId));
  return (
    <Panel
      title="Latest events"
      actions={
        <Anchor
          size="sm"
          renderRoot={(props) => <Link to="/services/$serviceId/events" params={{ serviceId }} {...props} />}
        >
          All events
        </Anchor>
      }
    >
      <EventTimeline
        events={story?.events.slice(0, SHOWN)}
        error={error}
        onRetry={() => void refetch()}
        headings={3}
      />
    </Panel>
  );
}
