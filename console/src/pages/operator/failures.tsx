/** What has failed within a day, over all projects. */
import type { OverviewRecord } from "../../../../src/client/index.ts";
import { EventTimeline } from "../../ui/event-timeline.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Calm } from "./calm.tsx";
import { ServiceRef } from "./service-ref.tsx";

type Failure = OverviewRecord["failures"]["newest"][number];

export function Failures({ failures }: { failures: readonly Failure[] }) {
  const byId = new Map(failures.map((failure) => [failure.id, failure]));
  return (
    <Panel
      title="Failures within a day"
      description="Failovers, steps that failed, services that became unstable."
    >
      <EventTimeline
        headings={3}
        events={failures.map(signed)}
        aside={({ id }) => {
          const failure = byId.get(id);
          return failure && <Where failure={failure} />;
        }}
        empty={<Calm>Nothing has failed in the last 24 hours.</Calm>}
      />
    </Panel>
  );
}

/** What an event of the project has in its data follows from what is a failure at all. */
function signed({ id, at, type, message }: Failure) {
  const data = { "service.status": { to: "UNSTABLE" }, "service.role": { reason: "failover" } };
  return { id, at, type, message, data: new Map(Object.entries(data)).get(type) ?? {} };
}

function Where({ failure: { project, service } }: { failure: Failure }) {
  return (
    <>
      {service && <ServiceRef project={project} service={service} />}
      <span>{project.name}</span>
    </>
  );
}
