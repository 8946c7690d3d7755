/** One webhook: where it sends what, how that goes, and what can be done about it. */
import { Alert, Button, Collapse, Group, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { ChevronDown, ChevronRight } from "lucide-react";
import { useState } from "react";
import type { WebhookRecord } from "../../../../src/client/index.ts";
import { keys } from "../../data/queries.ts";
import { useChange } from "../../data/use-change.ts";
import { useAccount } from "../../session/client.tsx";
import { ConfirmByName } from "../../ui/confirm-by-name.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { Mark } from "../../ui/mark.tsx";
import { Moment } from "../../ui/moment.tsx";
import { Panel } from "../../ui/panel.tsx";
import { WriteButton } from "../../ui/write-button.tsx";
import { Deliveries } from "./deliveries.tsx";
import { eventsInWords } from "./event-patterns.ts";
import { RotateDialog } from "./rotate-dialog.tsx";
import { WebhookForm } from "./webhook-form.tsx";
import classes from "./webhooks.module.css";

export interface WebhookPanelProps {
  readonly webhook: WebhookRecord;
  /** Its secret is new. */
  readonly onSecret: (webhook: WebhookRecord) => void;
}

export function WebhookPanel({ webhook, onSecret }: WebhookPanelProps) {
  const { url, description, event_types, disabled_reason, rests_until } = webhook;
  const [shown, deliveries] = useDisclosure(false);
  return (
    <Panel>
      <Group justify="space-between" align="flex-start" gap="xs" wrap="nowrap">
        <div className={classes["words"]}>
          <Title order={2} className={classes["url"]} title={url}>
            {url}
          </Title>
          <Text size="sm" c="dimmed">
            {description !== "" && `${description} · `}
            {eventsInWords(event_types)}
          </Text>
        </div>
        <State webhook={webhook} />
      </Group>
      {disabled_reason !== undefined && (
        <Alert color="red" variant="light" mt="sm">
          Disabled by itself: {disabled_reason}. Nothing is sent until it is enabled again.
        </Alert>
      )}
      {rests_until !== undefined && (
        <Text size="sm" c="dimmed" mt="sm">
          Its receiver fails, so it is left alone for a while. Next try <Moment at={rests_until} ahead />.
        </Text>
      )}
      <Actions webhook={webhook} onSecret={onSecret} onTested={deliveries.open} />
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        mt="sm"
        ml={-8}
        leftSection={shown ? <ChevronDown size={15} aria-hidden /> : <ChevronRight size={15} aria-hidden />}
        aria-expanded={shown}
        onClick={deliveries.toggle}
      >
        Deliveries
      </Button>
      <Collapse expanded={shown}>{shown && <Deliveries webhookId={webhook.id} />}</Collapse>
    </Panel>
  );
}

function State({ webhook: { enabled, failures } }: { webhook: WebhookRecord }) {
  if (!enabled) return <Mark mood="off">Disabled</Mark>;
  if (failures > 0)
    return (
      <Mark mood="warn">
        {failures} {failures === 1 ? "failure" : "failures"} in a row
      </Mark>
    );
  return <Mark mood="good">Enabled</Mark>;
}

function Actions({ webhook, onSecret, onTested }: WebhookPanelProps & { readonly onTested: () => void }) {
  const { projectId } = useAccount();
  const { id, enabled, url } = webhook;
  const [open, setOpen] = useState<"edit" | "rotate" | "delete" | null>(null);
  const queryClient = useQueryClient();
  const touches = [keys.webhooks(projectId)];
  const toggle = useChange({
    send: (client, next: boolean) => client.updateWebhook(id, { enabled: next }),
    accepted: (changed) => (changed.enabled ? "Events are sent again." : "Nothing is sent for now."),
    touches,
  });
  const test = useChange({
    send: (client, _input: null) => client.testWebhook(id),
    accepted: () => "A test is on its way.",
    touches,
    onAccepted: onTested,
  });
  const remove = useChange({
    send: (client, _input: null) => client.deleteWebhook(id),
    accepted: () => "The webhook is deleted.",
    touches: [],
    // What is asked about it from now on is not found.
    onAccepted: () =>
      queryClient.setQueryData<readonly WebhookRecord[]>(keys.webhooks(projectId), (list) =>
        list?.filter((other) => other.id !== id),
      ),
  });
  const close = () => {
    setOpen(null);
    remove.reset();
  };
  const error = toggle.error ?? test.error;
  const small = { size: "compact-sm", variant: "default" } as const;
  return (
    <>
      <Group gap={6} mt="md">
        <WriteButton {...small} onClick={() => test.mutate(null)} loading={test.isPending}>
          Send a test
        </WriteButton>
        <WriteButton {...small} onClick={() => setOpen("edit")}>
          Edit
        </WriteButton>
        <WriteButton {...small} onClick={() => toggle.mutate(!enabled)} loading={toggle.isPending}>
          {enabled ? "Disable" : "Enable"}
        </WriteButton>
        <WriteButton {...small} onClick={() => setOpen("rotate")}>
          New secret
        </WriteButton>
        <WriteButton {...small} c="var(--howdah-bad)" onClick={() => setOpen("delete")}>
          Delete
        </WriteButton>
      </Group>
      {error && <ErrorNotice error={error} />}
      <WebhookForm opened={open === "edit"} webhook={webhook} onClose={close} onSaved={() => undefined} />
      <RotateDialog opened={open === "rotate"} webhook={webhook} onClose={close} onRotated={onSecret} />
      <ConfirmByName
        opened={open === "delete"}
        onClose={close}
        title="Delete the webhook"
        name={new URL(url).host}
        action="Delete the webhook"
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate(null)}
      >
        Nothing is sent to {new URL(url).host} any more. What was still to be sent is lost, and so is the list
        of deliveries.
      </ConfirmByName>
    </>
  );
}
