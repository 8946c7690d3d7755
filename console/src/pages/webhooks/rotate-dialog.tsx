/** A new secret for a webhook, with the old one good for a day. */
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import type { WebhookRecord } from "../../../../src/client/index.ts";
import { keys } from "../../data/queries.ts";
import { useChange } from "../../data/use-change.ts";
import { useAccount } from "../../session/client.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";

export interface RotateDialogProps {
  readonly opened: boolean;
  readonly webhook: WebhookRecord;
  readonly onClose: () => void;
  readonly onRotated: (webhook: WebhookRecord) => void;
}

export function RotateDialog({ opened, webhook, onClose, onRotated }: RotateDialogProps) {
  const { projectId } = useAccount();
  const rotate = useChange({
    send: (client, _input: null) => client.rotateWebhookSecret(webhook.id),
    accepted: () => null,
    touches: [keys.webhooks(projectId)],
    onAccepted: (rotated) => {
      onClose();
      onRotated(rotated);
    },
  });
  const close = () => {
    rotate.reset();
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title="Give the webhook a new secret">
      <Stack>
        <Text>
          For a day, messages are signed with both secrets, so that receivers can change theirs in peace.
          After that the old one signs no more.
        </Text>
        {rotate.error && <ErrorNotice error={rotate.error} title="The secret was not changed" />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button onClick={() => rotate.mutate(null)} loading={rotate.isPending}>
            Make a new secret
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
