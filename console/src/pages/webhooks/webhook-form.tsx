/** Making a webhook, and changing one. */
import { Button, Group, Modal, Stack, TagsInput, TextInput } from "@mantine/core";
import { useState } from "react";
import type { WebhookRecord } from "../../../../src/client/index.ts";
import { keys } from "../../data/queries.ts";
import { useChange } from "../../data/use-change.ts";
import { useAccount } from "../../session/client.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { eventsProblem, SUGGESTED_EVENTS } from "./event-patterns.ts";

export interface WebhookFormProps {
  readonly opened: boolean;
  /** null: a new one is made. */
  readonly webhook: WebhookRecord | null;
  readonly onClose: () => void;
  /** A new one has its secret in it. */
  readonly onSaved: (webhook: WebhookRecord) => void;
}

export function WebhookForm({ opened, webhook, onClose, onSaved }: WebhookFormProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={webhook ? "Edit the webhook" : "Add a webhook"} size="md">
      <Fields webhook={webhook} onClose={onClose} onSaved={onSaved} />
    </Modal>
  );
}

const MOST_TYPES = 20;

function Fields({ webhook, onClose, onSaved }: Omit<WebhookFormProps, "opened">) {
  const { projectId } = useAccount();
  const [url, setUrl] = useState(webhook?.url ?? "");
  const [description, setDescription] = useState(webhook?.description ?? "");
  const [types, setTypes] = useState<string[]>(webhook?.event_types ?? ["*"]);
  const [asked, setAsked] = useState(false);
  const problem = eventsProblem(types);
  const save = useChange({
    send: (client, body: { url: string; description: string; event_types: string[] }) =>
      webhook ? client.updateWebhook(webhook.id, body) : client.createWebhook(body),
    accepted: () => (webhook ? "The webhook was changed." : null),
    touches: [keys.webhooks(projectId)],
    onAccepted: (saved) => {
      onClose();
      onSaved(saved);
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setAsked(true);
        if (!problem) save.mutate({ url: url.trim(), description: description.trim(), event_types: types });
      }}
    >
      <Stack>
        <TextInput
          label="URL"
          description="Where events are sent, by POST."
          placeholder="https://hooks.example.com/howdah"
          type="url"
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
          required
          withAsterisk={false}
          maxLength={2048}
          data-autofocus
        />
        <TagsInput
          label="Events"
          description="A type such as service.status, all that begin with something such as service.*, or * for all."
          data={SUGGESTED_EVENTS}
          value={types}
          onChange={setTypes}
          maxTags={MOST_TYPES}
          splitChars={[",", " "]}
          acceptValueOnBlur
          clearable
          error={asked && problem}
        />
        <TextInput
          label="Description"
          description="What it is for; for people."
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
          maxLength={256}
        />
        {save.error && <ErrorNotice error={save.error} title="The webhook was not saved" />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            {webhook ? "Save the webhook" : "Add the webhook"}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
