/** What stands where there is nothing yet, and what to do about it. */
import { Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

export interface EmptyProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

export function Empty({ icon, title, children, action }: EmptyProps) {
  return (
    <Stack align="center" gap="xs" py={56} px="md" ta="center">
      <div aria-hidden>{icon}</div>
      <Title order={2}>{title}</Title>
      {children !== undefined && (
        <Text c="dimmed" maw={440}>
          {children}
        </Text>
      )}
      {action !== undefined && <div>{action}</div>}
    </Stack>
  );
}
