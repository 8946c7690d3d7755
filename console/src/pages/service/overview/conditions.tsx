/** What is true of the service now, in plain words. */
import { Code, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Check, CircleQuestionMark, type LucideIcon, Pause, TriangleAlert } from "lucide-react";
import type { ServiceRecord, ServiceStory } from "../../../../../src/client/index.ts";
import { useQueries } from "../../../data/queries.ts";
import { ErrorNotice } from "../../../ui/error-notice.tsx";
import { Moment } from "../../../ui/moment.tsx";
import type { Mood } from "../../../ui/mood.ts";
import { Panel } from "../../../ui/panel.tsx";
import { conditionWords, STOPPED } from "./condition-words.ts";
import classes from "./conditions.module.css";

const SIGNS: Readonly<Record<string, { readonly icon: LucideIcon; readonly mood: Mood }>> = {
  True: { icon: Check, mood: "good" },
  False: { icon: TriangleAlert, mood: "bad" },
};
const UNKNOWN = { icon: CircleQuestionMark, mood: "warn" } as const;
/** That was asked for. */
const AT_REST = { icon: Pause, mood: "calm" } as const;

export function Conditions({ service }: { service: ServiceRecord }) {
  const { data: story, error, refetch } = useQuery(useQueries().story(service.service_id));
  const readers = service.forked_from?.is_standby === true;
  return (
    <Panel title="Condition">
      {error && !story ? (
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      ) : (
        <Stack gap="md" aria-busy={!story}>
          {story
            ? story.conditions.map((condition) => (
                <Condition key={condition.type} condition={condition} readers={readers} />
              ))
            : [0, 1, 2].map((index) => <Skeleton key={index} h={62} />)}
          {story?.conditions.length === 0 && <Text c="dimmed">Nothing has been seen of it yet.</Text>}
        </Stack>
      )}
    </Panel>
  );
}

interface ConditionProps {
  readonly condition: ServiceStory["conditions"][number];
  /** Of a read replica set. */
  readonly readers: boolean;
}

function Condition({ condition, readers }: ConditionProps) {
  const { type, status, reason, message, since } = condition;
  const { icon: Sign, mood } = reason === STOPPED ? AT_REST : (SIGNS[status] ?? UNKNOWN);
  return (
    <div className={classes["condition"]} data-mood={mood}>
      <Sign size={16} strokeWidth={2.5} className={classes["sign"]} aria-hidden />
      <div className={classes["words"]}>
        <Text fw={550}>{conditionWords(condition, readers)}</Text>
        <Text size="sm" c="dimmed">
          {message}
        </Text>
        <Text size="xs" c="dimmed" mt={3}>
          <Code fz={11}>
            {type}: {reason}
          </Code>{" "}
          · <Moment at={since} />
        </Text>
      </div>
    </div>
  );
}
