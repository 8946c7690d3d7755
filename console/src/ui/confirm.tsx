/** Asks before something ends that can be begun again. */
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { ErrorNotice } from "./error-notice.tsx";

export interface ConfirmProps {
  readonly opened: boolean;
  readonly title: string;
  /** What ends with it. */
  readonly text: string;
  readonly action: string;
  /** What did not happen, such as "The service was not detached". */
  readonly failed: string;
  readonly busy: boolean;
  readonly error: Error | null;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function Confirm(props: ConfirmProps) {
  const { opened, title, text, action, failed, busy, error, onConfirm, onClose } = props;
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <Stack>
        <Text size="sm">{text}</Text>
        {error && <ErrorNotice error={error} title={failed} />}
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
