/** One thing that can be done: what it is at the left, how to do it at the right. */
import { Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { ErrorNotice } from "../../../ui/error-notice.tsx";
import classes from "./settings-tab.module.css";

export interface SettingsRowProps {
  readonly title: string;
  readonly description: ReactNode;
  readonly error?: Error | null;
  readonly onRetry?: (() => void) | undefined;
  readonly children: ReactNode;
}

export function SettingsRow({ title, description, error = null, onRetry, children }: SettingsRowProps) {
  return (
    <div className={classes["row"]}>
      <div className={classes["words"]}>
        <Title order={3}>{title}</Title>
        <Text size="sm" c="dimmed">
          {description}
        </Text>
        {error && (
          <div className={classes["rowError"]}>
            <ErrorNotice error={error} onRetry={onRetry} />
          </div>
        )}
      </div>
      <div>{children}</div>
    </div>
  );
}
