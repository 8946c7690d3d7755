/** A surface with one subject. */
import { Group, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./panel.module.css";

export interface PanelProps {
  readonly title?: string;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  /** Content that reaches the edges, such as a table. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}

export function Panel({ title, description, actions, flush = false, children }: PanelProps) {
  return (
    <section className={classes["panel"]} data-flush={flush || undefined}>
      {title !== undefined && (
        <Group className={classes["head"]} justify="space-between" gap="xs">
          <div className={classes["words"]}>
            <Title order={2}>{title}</Title>
            {description !== undefined && (
              <Text c="dimmed" size="sm">
                {description}
              </Text>
            )}
          </div>
          {actions !== undefined && <Group gap="xs">{actions}</Group>}
        </Group>
      )}
      <div className={classes["body"]}>{children}</div>
    </section>
  );
}
