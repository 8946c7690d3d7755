/** What happens in the project, as it happens. */
import { Button, Group, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Activity } from "lucide-react";
import { useMemo } from "react";
import { useActivity } from "../../data/activity.ts";
import { useQueries } from "../../data/queries.ts";
import { Empty } from "../../ui/empty.tsx";
import { EVENT_KIND_CHOICES, typesOf } from "../../ui/event-kinds.ts";
import { EventTimeline } from "../../ui/event-timeline.tsx";
import { Page } from "../../ui/page.tsx";
import { Panel } from "../../ui/panel.tsx";
import { WriteButton } from "../../ui/write-button.tsx";

export function ActivityPage() {
  const { kind = "all", service } = useSearch({ from: "/signed-in/activity" });
  const navigate = useNavigate();
  const { data: services } = useQuery(useQueries().services);
  const activity = useActivity({ serviceId: service ?? null, types: typesOf(kind) });
  const names = useMemo(
    () => new Map(services?.map(({ service_id, name }) => [service_id, name])),
    [services],
  );
  const choose = (next: { kind: string; service: string | undefined }) => {
    const search = {
      ...(next.kind === "all" ? {} : { kind: next.kind }),
      ...(next.service === undefined ? {} : { service: next.service }),
    };
    void navigate({ to: "/activity", search, replace: true });
  };
  const filtered = kind !== "all" || service !== undefined;
  return (
    <Page
      title="Activity"
      description="What happens in the project and who asked for it, as it happens."
      width="narrow"
    >
      <Group gap="sm" align="flex-end">
        <Select
          label="What"
          data={EVENT_KIND_CHOICES}
          value={kind}
          allowDeselect={false}
          onChange={(value) => choose({ kind: value ?? "all", service })}
          w={{ base: "100%", xs: 230 }}
        />
        <Select
          label="Service"
          placeholder="All services"
          data={serviceChoices(names, service)}
          value={service ?? null}
          onChange={(value) => choose({ kind, service: value ?? undefined })}
          searchable
          clearable
          nothingFoundMessage="No service has that name"
          w={{ base: "100%", xs: 260 }}
        />
      </Group>
      <Panel>
        <EventTimeline
          events={activity.events}
          error={activity.error}
          onRetry={() => void activity.refetch()}
          serviceName={(id) => names.get(id) ?? null}
          onOlder={activity.hasNextPage ? () => void activity.fetchNextPage() : undefined}
          loadingOlder={activity.isFetchingNextPage}
          empty={filtered ? <NothingSuch onAll={() => void navigate({ to: "/activity" })} /> : <NothingYet />}
        />
      </Panel>
    </Page>
  );
}

/** One that is gone can still be chosen by its address. */
function serviceChoices(names: ReadonlyMap<string, string>, chosen: string | undefined) {
  const choices = [...names].map(([value, label]) => ({ value, label }));
  const gone = chosen !== undefined && !names.has(chosen) ? [{ value: chosen, label: chosen }] : [];
  return [...choices.toSorted((a, b) => a.label.localeCompare(b.label)), ...gone];
}

function NothingSuch({ onAll }: { onAll: () => void }) {
  return (
    <Empty
      icon={<Activity size={28} />}
      title="Nothing of that kind has happened"
      action={
        <Button variant="default" onClick={onAll}>
          Show everything
        </Button>
      }
    />
  );
}

function NothingYet() {
  const navigate = useNavigate();
  return (
    <Empty
      icon={<Activity size={28} />}
      title="Nothing has happened yet"
      action={<WriteButton onClick={() => void navigate({ to: "/create" })}>Create a service</WriteButton>}
    >
      Every request, step and change of status of a service is told here, as it happens.
    </Empty>
  );
}
