/** The secret of a webhook, this one time, and what a receiver does with it. */
import { Alert, Button, Group, Modal, Stack, Tabs, Text } from "@mantine/core";
import { KeyRound } from "lucide-react";
import type { WebhookRecord } from "../../../../src/client/index.ts";
import { Copy } from "../../ui/copy.tsx";
import { VERIFY_SAMPLES } from "./verify-samples.ts";
import classes from "./webhooks.module.css";

export interface SecretDialogProps {
  /** With its secret; null: the dialog is closed. */
  readonly webhook: WebhookRecord | null;
  readonly onClose: () => void;
}

export function SecretDialog({ webhook, onClose }: SecretDialogProps) {
  const secret = webhook?.secret;
  return (
    <Modal
      opened={secret !== undefined}
      onClose={onClose}
      title="The secret of the webhook"
      size="lg"
      // A click beside it would lose the secret.
      closeOnClickOutside={false}
    >
      {secret !== undefined && (
        <Stack>
          <Alert variant="light" icon={<KeyRound aria-hidden />}>
            Keep it now: it is shown this one time. Whoever has it can send messages that look like Howdah's.
          </Alert>
          <div className={classes["secret"]}>
            <code>{secret}</code>
            <Copy text={secret} what="the secret" />
          </div>
          <Text size="sm">
            Every message is signed with it. A receiver checks that before it believes a word. For example:
          </Text>
          <Samples />
          <Group justify="flex-end">
            <Button onClick={onClose} data-autofocus>
              I have kept the secret
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

function Samples() {
  return (
    <Tabs defaultValue={VERIFY_SAMPLES[0]?.language ?? ""}>
      <Tabs.List>
        {VERIFY_SAMPLES.map(({ language }) => (
          <Tabs.Tab key={language} value={language}>
            {language}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {VERIFY_SAMPLES.map(({ language, install, code }) => (
        <Tabs.Panel key={language} value={language} pt="xs">
          <Text size="xs" c="dimmed" ff="monospace" mb={6}>
            {install}
          </Text>
          <div className={classes["sample"]}>
            <pre tabIndex={0}>{code}</pre>
            <div className={classes["copy"]}>
              <Copy text={code} what={`the ${language} code`} />
            </div>
          </div>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
