/** One service: what it is called and how it is, above the tabs that tell more. */
import { Group, Skeleton, Stack, Tabs, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useLocation, useNavigate, useParams } from "@tanstack/react-router";
import { ClientError } from "../../../../src/client/index.ts";
import { useQueries } from "../../data/queries.ts";
import { Copy } from "../../ui/copy.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { serviceType } from "../../ui/format.ts";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { DraftsProvider } from "./drafts.tsx";
import { ServiceActions } from "./service-actions.tsx";
import { ServiceGone } from "./service-gone.tsx";
import classes from "./service-page.module.css";

const TABS = [
  { to: "/services/$serviceId", title: "Overview" },
  { to: "/services/$serviceId/metrics", title: "Metrics" },
  { to: "/services/$serviceId/logs", title: "Logs" },
  { to: "/services/$serviceId/events", title: "Events" },
  { to: "/services/$serviceId/query", title: "Query" },
  { to: "/services/$serviceId/settings", title: "Settings" },
] as const;

export function ServicePage() {
  const { serviceId } = useParams({ from: "/signed-in/services/$serviceId" });
  const queries = useQueries();
  const { data: service, error, refetch } = useQuery(queries.service(serviceId));
  const { data: story } = useQuery(queries.story(serviceId));
  const { pathname } = useLocation();
  const navigate = useNavigate();
  useDocumentTitle(`${service?.name ?? serviceId} · Howdah`);
  const here = TABS.findLast(({ to }) => pathname.startsWith(to.replace("$serviceId", serviceId)));
  // What was deleted stays in the cache, so that its name is still known.
  if (isGone(error)) return <ServiceGone name={service?.name ?? null} serviceId={serviceId} />;
  if (error && !service)
    return <ErrorNotice error={error} title="This service cannot be shown" onRetry={() => void refetch()} />;
  return (
    <DraftsProvider key={serviceId} serviceId={serviceId}>
      <Stack gap="lg" className={classes["page"]}>
        <Group justify="space-between" align="flex-start" gap="sm">
          <div className={classes["words"]}>
            <Group gap="sm" wrap="nowrap">
              <Title order={1} className={classes["name"]} title={service?.name}>
                {service?.name ?? <Skeleton h={26} w={200} />}
              </Title>
              {service && (
                <StatusBadge status={story?.status ?? service.status} reason={story?.status_reason} />
              )}
            </Group>
            <Group gap={6} mt={2} c="dimmed" mih={26}>
              {service && (
                <>
                  <Text size="sm">{serviceType(service.service_type)}</Text>
                  <Text size="sm">·</Text>
                  <Text size="sm">{service.region_code}</Text>
                  <Text size="sm">·</Text>
                  <Group gap={6} wrap="nowrap">
                    <Text size="sm" ff="monospace">
                      {serviceId}
                    </Text>
                    <Copy text={serviceId} what="the service's id" />
                  </Group>
                </>
              )}
            </Group>
          </div>
          {service ? (
            <ServiceActions service={service} />
          ) : (
            <Skeleton h={36} w={312} maw="100%" aria-hidden />
          )}
        </Group>
        <Tabs
          value={here?.to ?? null}
          onChange={(to) => {
            const tab = TABS.find((each) => each.to === to);
            if (tab) void navigate({ to: tab.to, params: { serviceId } });
          }}
        >
          <Tabs.List className={classes["tabs"]}>
            {TABS.map(({ to, title }) => (
              <Tabs.Tab
                key={to}
                value={to}
                renderRoot={(props) => <Link to={to} params={{ serviceId }} {...props} />}
              >
                {title}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </Tabs>
        <Outlet />
      </Stack>
    </DraftsProvider>
  );
}

function isGone(error: Error | null): boolean {
  return error instanceof ClientError && error.code === "NOT_FOUND";
}
