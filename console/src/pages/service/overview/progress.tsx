/** Why a service is not simply ready, and what is still to be done. */
import { Badge, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Hourglass } from "lucide-react";
import type { PlanRecord, ServiceRecord } from "../../../../../src/client/index.ts";
import { useQueries } from "../../../data/queries.ts";
import { ErrorNotice } from "../../../ui/error-notice.tsx";
import { Moment } from "../../../ui/moment.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { statusWord } from "../../../ui/status-badge.tsx";
import classes from "./progress.module.css";

/** More are counted. */
const SHOWN_STEPS = 8;

export function Progress({ service }: { service: ServiceRecord }) {
  const queries = useQueries();
  const { data: plan, error, refetch } = useQuery(queries.plan(service.service_id));
  const { data: story } = useQuery(queries.story(service.service_id));
  const status = story?.status ?? service.status;
  const left = plan !== undefined && plan.outlook !== "settled";
  if (status === "READY" && !left) return null;
  return (
    <Panel title={status === "READY" ? "Still to be done" : statusWord(status)}>
      <Stack gap="sm">
        <div role="status">{story ? <Text>{story.status_reason}</Text> : <Skeleton h={20} maw={420} />}</div>
        {error && !plan && (
          <ErrorNotice error={error} title="What is left cannot be told" onRetry={() => void refetch()} />
        )}
        {plan && left && <Left plan={plan} reason={story?.status_reason} />}
      </Stack>
    </Panel>
  );
}

function Left({ plan, reason }: { plan: PlanRecord; reason: string | undefined }) {
  const { waiting_for: waiting, steps, message, outlook, since } = plan;
  const more = steps.length - SHOWN_STEPS;
  return (
    <>
      {waiting && (
        <div className={classes["waiting"]}>
          <Hourglass size={15} aria-hidden />
          <Text size="sm">
            {waiting.message === reason ? "Waiting" : waiting.message}{" "}
            <Text span size="sm" c="dimmed">
              · begun <Moment at={waiting.since} />
            </Text>
          </Text>
          {waiting.overdue && (
            <Badge color="orange" variant="light" tt="none">
              Takes longer than it should
            </Badge>
          )}
        </div>
      )}
      {(outlook === "blocked" || outlook === "unknown") && <Text size="sm">{message}</Text>}
      {steps.length > 0 && (
        <ol className={classes["steps"]} aria-label="Steps that are left">
          {steps.slice(0, SHOWN_STEPS).map((step, index) => (
            <li key={`${index} ${step.kind}`} data-wait={step.kind === "wait" || undefined}>
              {step.message}
              {step.interruption !== "none" && (
                <span className={classes["noticed"]}>
                  {step.interruption === "reconnect" ? "sessions end once" : "nobody is served meanwhile"}
                </span>
              )}
            </li>
          ))}
          {more > 0 && <li data-wait>{more === 1 ? "One more step" : `${more} more steps`}</li>}
        </ol>
      )}
      <Text size="xs" c="dimmed">
        {noticed(plan)}
        {since !== undefined && (
          <>
            {" "}
            Begun <Moment at={since} />.
          </>
        )}
      </Text>
    </>
  );
}

/** Of what is left alone: the trouble that it mends may well be noticed. */
function noticed({ steps, interruption }: PlanRecord): string | undefined {
  if (interruption?.kind !== "none") return interruption?.message;
  return steps.length > 0 ? "None of these steps ends a session." : undefined;
}
