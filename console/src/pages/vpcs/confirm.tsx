/** Asks before something ends that can be begun again. */
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { ErrorNotice } from "../../ui/error-notice.tsx";

export interface ConfirmProps {
  readonly title: string;
  readonly text: string;
  readonly action: string;
  readonly busy: boolean;
  readonly error: Error | null;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function Confirm({ title, text, action, busy, error, onConfirm, onClose }: ConfirmProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={
        <Text span fw={600} style={{ overflowWrap: "anywhere" }}>
          {title}
        </Text>
      }
    >
      <Stack>
        <Text>{text}</Text>
        {error && <ErrorNotice error={error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button color="red" loading={busy} onClick={onConfirm} data-autofocus>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
