/** Asks before somebody leaves a page, or closes the tab, and loses something by that. */
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import type { ReactNode } from "react";

export interface LeaveGuardProps {
  /** Whether something would be lost. */
  readonly needed: boolean;
  /** Where nothing is lost by going; left out: nowhere. */
  readonly mayGo?: (pathname: string) => boolean;
  readonly title: string;
  /** What would be lost. */
  readonly children: ReactNode;
  /** On the button, such as "Leave without it". */
  readonly leave: string;
}

export function LeaveGuard({ needed, mayGo, title, children, leave }: LeaveGuardProps) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ next }) => needed && mayGo?.(next.pathname) !== true,
    enableBeforeUnload: needed,
    withResolver: true,
  });
  return (
    <Modal opened={status === "blocked"} onClose={() => reset?.()} title={title}>
      <Stack>
        <Text>{children}</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => proceed?.()}>
            {leave}
          </Button>
          <Button onClick={() => reset?.()} data-autofocus>
            Stay here
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** For a page that shows a password this one time. */
export function KeepPassword({ needed }: { needed: boolean }) {
  return (
    <LeaveGuard needed={needed} title="The password was not copied" leave="Leave without it">
      It is shown on this page alone, this one time. Without it, a new one has to be set before anybody can
      connect.
    </LeaveGuard>
  );
}
