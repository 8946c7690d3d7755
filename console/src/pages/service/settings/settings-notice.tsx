/** A sentence that a person should have read before going on. */
import { CircleAlert, CircleDashed, Info, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import type { Mood } from "../../../ui/mood.ts";
import classes from "./settings-tab.module.css";

const ICONS = { calm: Info, busy: CircleDashed, warn: CircleAlert } as const satisfies Partial<
  Record<Mood, LucideIcon>
>;

export interface SettingsNoticeProps {
  readonly mood?: keyof typeof ICONS;
  readonly children: ReactNode;
}

export function SettingsNotice({ mood = "calm", children }: SettingsNoticeProps) {
  const Icon = ICONS[mood];
  return (
    <div className={classes["notice"]} data-mood={mood}>
      <Icon size={16} aria-hidden />
      <div>{children}</div>
    </div>
  );
}
