/** Each step of a new service as it happens. */
import { Loader, Skeleton, Stack, Text } from "@mantine/core";
import { Check } from "lucide-react";
import { eventSign } from "../../../ui/event-sign.ts";
import classes from "./created.module.css";
import { duration, type Progress, type ProgressStep } from "./progress.ts";

export function Steps({ progress }: { progress: Progress | null }) {
  if (!progress) {
    return (
      <Stack gap={18} aria-hidden>
        <Skeleton h={14} w="80%" />
        <Skeleton h={14} w="60%" />
      </Stack>
    );
  }
  const { steps, ready } = progress;
  const last = steps.at(-1)?.id;
  return (
    <div role="log" aria-label="Steps">
      <ol className={classes["steps"]}>
        {steps.map((step) => (
          <Step key={step.id} step={step} busy={!ready && step.id === last} />
        ))}
      </ol>
    </div>
  );
}

function Step({ step, busy }: { step: ProgressStep; busy: boolean }) {
  const { icon: Icon, mood } = eventSign(step);
  const troubled = mood === "bad" || mood === "warn";
  return (
    <li className={classes["step"]} data-mood={troubled ? mood : busy ? "busy" : "good"}>
      <span className={classes["sign"]} aria-hidden>
        {troubled ? (
          <Icon size={14} strokeWidth={2.4} />
        ) : busy ? (
          <Loader size={13} color="var(--howdah-busy)" />
        ) : (
          <Check size={14} strokeWidth={2.4} />
        )}
      </span>
      <Text size="sm" flex={1}>
        {step.message}
      </Text>
      <Text span size="xs" c="dimmed" className={classes["after"]}>
        {duration(step.after)}
      </Text>
    </li>
  );
}
