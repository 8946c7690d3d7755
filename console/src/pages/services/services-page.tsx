/** All services of the project, as they are now. */
import { Button, Group, Stack, Text } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useDeferredValue, useMemo, useRef } from "react";
import { useQueries } from "../../data/queries.ts";
import { useMayWrite } from "../../session/client.tsx";
import { Empty } from "../../ui/empty.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { Page } from "../../ui/page.tsx";
import { useDialog } from "../../ui/use-dialog.ts";
import { CreateButton } from "./create-button.tsx";
import { NoServices } from "./no-services.tsx";
import { ServiceDialogs, type ServiceTask } from "./service-dialogs.tsx";
import { shownServices } from "./service-filters.ts";
import { ServiceList, ServiceListSkeleton } from "./service-list.tsx";
import { isFiltered, type ServiceSearch } from "./service-search.ts";
import { ServiceToolbar } from "./service-toolbar.tsx";

export function ServicesPage() {
  const search = useSearch({ from: "/signed-in/services" });
  const navigate = useNavigate();
  const mayWrite = useMayWrite();
  const { data: services, error, refetch } = useQuery(useQueries().services);
  const dialog = useDialog<ServiceTask>();
  const searchField = useRef<HTMLInputElement>(null);
  const focusList = useRef<() => void>(() => {});
  const change = useCallback(
    (next: ServiceSearch) => void navigate({ to: "/services", search: next, replace: true }),
    [navigate],
  );
  const asked = useDeferredValue(search);
  const shown = useMemo(() => shownServices(services ?? [], asked), [services, asked]);
  useHotkeys([
    ["/", () => searchField.current?.focus()],
    ["c", () => mayWrite && void navigate({ to: "/create" })],
  ]);
  const none = services?.length === 0;
  return (
    <Page title="Services" actions={none ? null : <CreateButton />}>
      {error && !services && (
        <ErrorNotice error={error} title="The services cannot be shown" onRetry={() => void refetch()} />
      )}
      {none ? (
        <NoServices />
      ) : (
        !(error && !services) && (
          <Stack gap="md">
            <ServiceToolbar
              services={services ?? []}
              search={search}
              onChange={change}
              field={searchField}
              onDown={() => focusList.current()}
            />
            {services ? (
              <>
                <Count shown={shown.length} all={services.length} />
                {shown.length === 0 ? (
                  <NoMatch search={search} onChange={change} />
                ) : (
                  <ServiceList services={shown} onTask={dialog.open} focus={focusList} />
                )}
              </>
            ) : (
              <ServiceListSkeleton />
            )}
          </Stack>
        )
      )}
      <ServiceDialogs task={dialog.about} opened={dialog.opened} onClose={dialog.close} />
    </Page>
  );
}

function Count({ shown, all }: { shown: number; all: number }) {
  const services = all === 1 ? "service" : "services";
  return (
    <Text size="sm" c="dimmed" role="status" mb={-8}>
      {shown === all ? `${all} ${services}` : `${shown} of ${all} ${services}`}
    </Text>
  );
}

interface NoMatchProps {
  readonly search: ServiceSearch;
  readonly onChange: (search: ServiceSearch) => void;
}

function NoMatch({ search, onChange }: NoMatchProps) {
  const { sort } = search;
  return (
    <Empty
      icon={null}
      title="No service is like that"
      action={
        <Group>
          <Button
            variant="default"
            disabled={!isFiltered(search)}
            onClick={() => onChange(sort ? { sort } : {})}
          >
            Show all services
          </Button>
        </Group>
      }
    >
      Search looks at names, ids, endpoints, types, regions and environments.
    </Empty>
  );
}
