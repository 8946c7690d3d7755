/** A service's status as a word with a sign, which also tells without colour. */
import { Tooltip } from "@mantine/core";
import { Check, CircleDashed, type LucideIcon, Pause, Trash2, TriangleAlert } from "lucide-react";
import type { ComponentProps } from "react";
import type { Mood } from "./mood.ts";
import classes from "./status-badge.module.css";

interface Shown {
  readonly word: string;
  readonly mood: Mood;
  readonly icon: LucideIcon;
}

/** By the API's words, of services and of read replica sets. */
const SHOWN: Readonly<Record<string, Shown>> = {
  QUEUED: { word: "Queued", mood: "busy", icon: CircleDashed },
  CONFIGURING: { word: "Configuring", mood: "busy", icon: CircleDashed },
  READY: { word: "Ready", mood: "good", icon: Check },
  UNSTABLE: { word: "Unstable", mood: "bad", icon: TriangleAlert },
  PAUSING: { word: "Stopping", mood: "busy", icon: CircleDashed },
  PAUSED: { word: "Stopped", mood: "calm", icon: Pause },
  RESUMING: { word: "Starting", mood: "busy", icon: CircleDashed },
  UPGRADING: { word: "Changing", mood: "busy", icon: CircleDashed },
  OPTIMIZING: { word: "Optimizing", mood: "busy", icon: CircleDashed },
  DELETING: { word: "Deleting", mood: "busy", icon: Trash2 },
  DELETED: { word: "Deleted", mood: "calm", icon: Trash2 },
  creating: { word: "Creating", mood: "busy", icon: CircleDashed },
  active: { word: "Active", mood: "good", icon: Check },
  resizing: { word: "Changing", mood: "busy", icon: CircleDashed },
  deleting: { word: "Deleting", mood: "busy", icon: Trash2 },
  error: { word: "Error", mood: "bad", icon: TriangleAlert },
};

export interface StatusBadgeProps {
  /** The API's own word. */
  readonly status: string;
  /** Why, for whoever asks. */
  readonly reason?: string | undefined;
}

export function StatusBadge({ status, reason }: StatusBadgeProps) {
  return (
    <Tooltip label={reason ?? status} multiline maw={360}>
      <StatusMark status={status} />
    </Tooltip>
  );
}

/** The same without a reason, for where there are very many. */
export function StatusMark({ status, ...span }: { status: string } & ComponentProps<"span">) {
  const { word, mood, icon: Icon } = SHOWN[status] ?? { word: status, mood: "warn", icon: CircleDashed };
  return (
    <span {...span} className={classes["badge"]} data-mood={mood} data-status={status}>
      <Icon size={13} strokeWidth={2.5} aria-hidden />
      {word}
    </span>
  );
}

/** The word that people read for a status of the API. */
export function statusWord(status: string): string {
  return SHOWN[status]?.word ?? status;
}
