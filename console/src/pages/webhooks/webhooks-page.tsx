/** Where the project's events are sent. */
import { Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Plus, Webhook as WebhookIcon } from "lucide-react";
import { useState } from "react";
import type { WebhookRecord } from "../../../../src/client/index.ts";
import { useQueries } from "../../data/queries.ts";
import { Empty } from "../../ui/empty.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { Page } from "../../ui/page.tsx";
import { WriteButton } from "../../ui/write-button.tsx";
import { SecretDialog } from "./secret-dialog.tsx";
import { WebhookForm } from "./webhook-form.tsx";
import { WebhookPanel } from "./webhook-panel.tsx";

export function WebhooksPage() {
  const { data: webhooks, error, refetch } = useQuery(useQueries().webhooks);
  const [adding, setAdding] = useState(false);
  const [fresh, setFresh] = useState<WebhookRecord | null>(null);
  const add = (
    <WriteButton leftSection={<Plus size={16} aria-hidden />} onClick={() => setAdding(true)}>
      Add a webhook
    </WriteButton>
  );
  return (
    <Page
      title="Webhooks"
      description="Events of this project, sent to URLs as they happen, signed as Standard Webhooks has it."
      actions={webhooks && webhooks.length > 0 ? add : undefined}
      width="narrow"
    >
      {error && !webhooks ? (
        <ErrorNotice error={error} title="The webhooks cannot be shown" onRetry={() => void refetch()} />
      ) : !webhooks ? (
        <Skeleton h={170} radius="lg" />
      ) : webhooks.length === 0 ? (
        <Empty icon={<WebhookIcon size={28} />} title="Nothing is sent anywhere yet" action={add}>
          A webhook sends what happens to services to a URL of yours: into a chat, a pager, a pipeline. A
          receiver that is away for a while misses nothing: it is tried again for a day.
        </Empty>
      ) : (
        <Stack gap="lg">
          {webhooks.map((webhook) => (
            <WebhookPanel key={webhook.id} webhook={webhook} onSecret={setFresh} />
          ))}
        </Stack>
      )}
      <WebhookForm opened={adding} webhook={null} onClose={() => setAdding(false)} onSaved={setFresh} />
      <SecretDialog webhook={fresh} onClose={() => setFresh(null)} />
    </Page>
  );
}
