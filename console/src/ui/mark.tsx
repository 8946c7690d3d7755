/** A word with a sign and a colour, where it is about no service's status. */
import { Check, CircleDashed, Hourglass, type LucideIcon, Pause, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { Mood } from "./mood.ts";
import classes from "./status-badge.module.css";

/** Two that are calm have signs of their own. */
export type MarkMood = Exclude<Mood, "calm"> | "waiting" | "off";

const SIGNS: Readonly<Record<MarkMood, LucideIcon>> = {
  good: Check,
  busy: CircleDashed,
  waiting: Hourglass,
  off: Pause,
  warn: TriangleAlert,
  bad: TriangleAlert,
};

export function Mark({ mood, children }: { mood: MarkMood; children: ReactNode }) {
  const Sign = SIGNS[mood];
  return (
    <span className={classes["badge"]} data-mood={mood === "waiting" || mood === "off" ? "calm" : mood}>
      <Sign size={13} strokeWidth={2.5} aria-hidden />
      {children}
    </span>
  );
}
