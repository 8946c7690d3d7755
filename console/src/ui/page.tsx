/** The frame of a page: its title, what can be done here, and its content. */
import { Group, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";
import classes from "./page.module.css";

export interface PageProps {
  readonly title: string;
  /** One sentence on what this page is for. */
  readonly description?: ReactNode;
  /** Buttons at the right of the title. */
  readonly actions?: ReactNode;
  /** Pages of forms and text are read better narrow. */
  readonly width?: "narrow" | "wide";
  readonly children: ReactNode;
}

export function Page({ title, description, actions, width = "wide", children }: PageProps) {
  useDocumentTitle(`${title} · Howdah`);
  return (
    <Stack gap="lg" className={classes["page"]} data-width={width}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <div className={classes["words"]}>
          <Title order={1}>{title}</Title>
          {description !== undefined && (
            <Text c="dimmed" mt={2}>
              {description}
            </Text>
          )}
        </div>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
