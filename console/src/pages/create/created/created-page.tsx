/** A service that was just made, anew or as a fork: its steps as they happen, and how to connect, with the password this one time. */
import { Group, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ArrowRight, KeyRound } from "lucide-react";
import { useState } from "react";
import type { ServiceRecord } from "../../../../../src/client/index.ts";
import { keys, useQueries } from "../../../data/queries.ts";
import { useChange } from "../../../data/use-change.ts";
import { useAccount } from "../../../session/client.tsx";
import { type FreshService, freshService } from "../../../session/fresh-services.ts";
import { keepLogin, USUAL_LOGIN } from "../../../session/login.ts";
import { ConnectionStrings } from "../../../ui/connection-strings.tsx";
import { ErrorNotice } from "../../../ui/error-notice.tsx";
import { KeepPassword } from "../../../ui/leave-guard.tsx";
import { Page } from "../../../ui/page.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { StatusBadge } from "../../../ui/status-badge.tsx";
import classes from "./created.module.css";
import { duration, type Progress, progressOf } from "./progress.ts";
import { Steps } from "./steps.tsx";
import { Stopwatch } from "./stopwatch.tsx";

export function CreatedPage() {
  const { serviceId } = useParams({ from: "/signed-in/services/$serviceId/created" });
  return <Created key={serviceId} serviceId={serviceId} />;
}

function Created({ serviceId }: { serviceId: string }) {
  const [fresh] = useState(() => freshService(serviceId));
  const [taken, setTaken] = useState(false);
  const queries = useQueries();
  const { data: service, error, refetch } = useQuery(queries.service(serviceId));
  const { data: story } = useQuery(queries.story(serviceId));
  const progress = service && story ? progressOf(story, service.created) : null;
  if (error && !service) {
    return (
      <Page title="A new service">
        <ErrorNotice error={error} title="This service cannot be shown" onRetry={() => void refetch()} />
      </Page>
    );
  }
  return (
    <Page
      title={service ? titleOf(service, progress) : "A new service"}
      description={
        <State service={service} progress={progress} reason={story?.status_reason} fresh={fresh} />
      }
    >
      <KeepPassword needed={fresh !== null && !taken} />
      {error && (
        <ErrorNotice error={error} title="What follows may be out of date" onRetry={() => void refetch()} />
      )}
      <div className={classes["columns"]}>
        <Stack gap="lg">
          <Panel title="Connect">
            <Stack>
              {fresh && (
                <div className={classes["once"]} data-mood="warn">
                  <KeyRound size={16} aria-hidden />
                  <Text size="sm" fw={550}>
                    The password is shown this one time. Copy it before you leave this page.
                  </Text>
                </div>
              )}
              {service ? (
                <ConnectionStrings
                  service={service}
                  password={fresh?.password ?? null}
                  onTaken={() => setTaken(true)}
                />
              ) : (
                <Skeleton h={150} />
              )}
              <Text size="sm" role="status" c={progress?.connectable ? "var(--howdah-good)" : "dimmed"}>
                {progress?.connectable
                  ? "It takes connections now."
                  : "It does not take connections yet; the address is final all the same."}
              </Text>
            </Stack>
          </Panel>
          {fresh?.synchronous && <Refused serviceId={serviceId} asked={fresh.synchronous} />}
          {service && progress?.connectable && <Next service={service} password={fresh?.password ?? null} />}
        </Stack>
        <Panel title="Steps">
          <Steps progress={progress} />
        </Panel>
      </div>
    </Page>
  );
}

function titleOf({ name }: ServiceRecord, progress: Progress | null): string {
  if (progress?.ready) return `${name} is ready`;
  return progress?.connectable ? `${name} takes connections` : `${name} is on its way`;
}

interface StateProps {
  readonly service: ServiceRecord | undefined;
  readonly progress: Progress | null;
  readonly reason: string | undefined;
  readonly fresh: FreshService | null;
}

function State({ service, progress, reason, fresh }: StateProps) {
  if (!service || !progress) return <Skeleton component="span" display="block" h={24} w={160} />;
  const { ready, readyAfter } = progress;
  return (
    <Group component="span" gap="sm" mt={4} mih={24}>
      <StatusBadge status={service.status} reason={reason} />
      <Text span size="sm">
        {ready ? (
          readyAfter !== null && `after ${duration(readyAfter)}`
        ) : (
          <Stopwatch since={fresh?.acceptedAt ?? Date.parse(service.created)} />
        )}
      </Text>
    </Group>
  );
}

interface RefusedProps {
  readonly serviceId: string;
  readonly asked: NonNullable<FreshService["synchronous"]>;
}

/** The second of the two requests, where the first alone came through. */
function Refused({ serviceId, asked }: RefusedProps) {
  const { projectId } = useAccount();
  const { count } = asked;
  const again = useChange({
    send: (client) => client.setHa(serviceId, { sync_replica_count: count }),
    accepted: ({ status }) => `Synchronous replicas: accepted, ${status}.`,
    touches: [keys.service(projectId, serviceId)],
  });
  if (again.isSuccess) return null;
  return (
    <ErrorNotice
      error={again.error ?? asked.refused}
      title={`The service was created, and its replicas were not made synchronous`}
      onRetry={() => again.mutate(undefined)}
    />
  );
}

function waysOn({ forked_from }: ServiceRecord) {
  return [
    { to: "/services/$serviceId/query", title: "Run SQL here", text: "An editor in this console." },
    { to: "/services/$serviceId", title: "Open the service", text: "Its nodes, load, logs and settings." },
    {
      to: "/services/$serviceId/settings",
      hash: "access",
      title: "Who may connect",
      text: forked_from
        ? "Now: the addresses that the other service lets in."
        : "Now: every address that has the password.",
    },
  ] as const;
}

/** @param password whoever goes on to the editor from here need not type it there; null: it is not known any more */
function Next({ service, password }: { service: ServiceRecord; password: string | null }) {
  const { service_id: serviceId } = service;
  const account = useAccount();
  const takeAlong = () => {
    if (password !== null) keepLogin(account, serviceId, { ...USUAL_LOGIN, password });
  };
  return (
    <Panel title="What next">
      <div className={classes["next"]}>
        {waysOn(service).map(({ to, title, text, ...place }) => (
          <Link
            key={to}
            to={to}
            {...place}
            params={{ serviceId }}
            className={classes["way"]}
            onClick={takeAlong}
          >
            <Group gap={4} justify="space-between" wrap="nowrap">
              <Text fw={550} size="sm">
                {title}
              </Text>
              <ArrowRight size={14} aria-hidden />
            </Group>
            <Text size="xs" c="dimmed" mt={2}>
              {text}
            </Text>
          </Link>
        ))}
      </div>
    </Panel>
  );
}
