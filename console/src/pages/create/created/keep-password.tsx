/** Nobody leaves without the password by mistake: it is shown nowhere else. */
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";

/** @param needed while the password is shown and was not taken */
export function KeepPassword({ needed }: { needed: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => needed,
    enableBeforeUnload: needed,
    withResolver: true,
  });
  return (
    <Modal
      opened={status === "blocked"}
      onClose={() => reset?.()}
      title="The password was not copied"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <Stack>
        <Text>
          It is shown on this page alone, this one time. Without it, a new one has to be set before anybody
          can connect.
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => proceed?.()}>
            Leave without it
          </Button>
          <Button onClick={() => reset?.()} data-autofocus>
            Stay here
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
