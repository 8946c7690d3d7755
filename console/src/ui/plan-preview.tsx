/** What a change would take: what clients notice of it, then its steps in order. */
import { Button, Skeleton, Stack, Text } from "@mantine/core";
import { CircleCheck, Hourglass, type LucideIcon, OctagonAlert, TriangleAlert, Unplug } from "lucide-react";
import { useState } from "react";
import type { PlanRecord } from "../../../src/client/index.ts";
import { ErrorNotice } from "./error-notice.tsx";
import classes from "./plan-preview.module.css";
import { type Notice, noticeOf, pooledWords } from "./plan-words.ts";

export interface PlanPreviewProps {
  readonly plan: PlanRecord | undefined;
  readonly loading: boolean;
  readonly error: Error | null;
  readonly onRetry?: () => void;
}

/** More are shown when asked for. */
const FIRST_STEPS = 5;

const ICONS: Readonly<Record<Notice["mood"], LucideIcon>> = {
  good: CircleCheck,
  warn: Unplug,
  bad: TriangleAlert,
};

export function PlanPreview({ plan, loading, error, onRetry }: PlanPreviewProps) {
  return (
    <div aria-live="polite" aria-busy={loading}>
      {error ? (
        <ErrorNotice error={error} title="This change would be refused" onRetry={onRetry} />
      ) : plan ? (
        <Planned plan={plan} />
      ) : (
        <Expected />
      )}
    </div>
  );
}

function Planned({ plan }: { plan: PlanRecord }) {
  const { interruption, outlook, steps, message } = plan;
  return (
    <Stack gap="sm">
      {interruption && <Noticed interruption={interruption} />}
      {outlook === "settles" && steps.length > 0 ? (
        <Text size="sm" fw={600}>
          {steps.length === 1 ? "One step" : `${steps.length} steps, in this order`}
        </Text>
      ) : (
        <Text size="sm" className={outlook === "blocked" ? classes["blocked"] : undefined}>
          {outlook === "blocked" && <OctagonAlert size={15} aria-hidden />}
          {message}
        </Text>
      )}
      {steps.length > 0 && <Steps steps={steps} />}
    </Stack>
  );
}

function Noticed({ interruption }: { interruption: NonNullable<PlanRecord["interruption"]> }) {
  const { mood, words } = noticeOf(interruption);
  const Icon = ICONS[mood];
  const { kind } = interruption;
  const pooled = pooledWords(interruption);
  return (
    <div className={classes["noticed"]} data-mood={mood}>
      <Icon size={18} aria-hidden />
      <div>
        <Text fw={600}>{words}</Text>
        {pooled !== null && <Text size="sm">{pooled}</Text>}
        {(kind !== "none" || interruption.pooled === "wait") && (
          <Text size="sm" c="dimmed">
            {interruption.message}
          </Text>
        )}
      </div>
    </div>
  );
}

function Steps({ steps }: { steps: PlanRecord["steps"] }) {
  const [all, setAll] = useState(false);
  const numbered = steps.map((step, index) => ({ ...step, number: index + 1 }));
  // What somebody notices is never hidden.
  const shown = numbered.filter(
    ({ number, interruption }) => all || number <= FIRST_STEPS || interruption !== "none",
  );
  return (
    <>
      <ol className={classes["steps"]}>
        {shown.map(({ number, kind, message, interruption }) => (
          <li key={number} value={number} data-kind={kind === "wait" ? "wait" : undefined}>
            <span>{message}</span>
            {kind === "wait" && <Hourglass size={13} aria-hidden />}
            {interruption !== "none" && (
              <span className={classes["mark"]} data-mood={interruption === "outage" ? "bad" : "warn"}>
                {interruption === "outage" ? "nobody is served" : "sessions end"}
              </span>
            )}
          </li>
        ))}
      </ol>
      {steps.length > shown.length && (
        <div>
          <Button size="compact-sm" variant="subtle" onClick={() => setAll(true)}>
            Show all {steps.length} steps
          </Button>
        </div>
      )}
    </>
  );
}

/** About as high as what comes. */
function Expected() {
  return (
    <Stack gap="sm" aria-label="Asking what this would take">
      <Skeleton h={44} />
      <Skeleton h={14} w={140} />
      <Skeleton h={14} w="70%" />
      <Skeleton h={14} w="80%" />
      <Skeleton h={14} w="60%" />
    </Stack>
  );
}
