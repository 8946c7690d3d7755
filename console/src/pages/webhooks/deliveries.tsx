/** What was sent, what came back, and what is still to be sent. */
import { Button, Center, Skeleton, Stack, Text } from "@mantine/core";
import type { DeliveryRecord } from "../../../../src/client/index.ts";
import { deliveriesKey, useDeliveries } from "../../data/deliveries.ts";
import { useChange } from "../../data/use-change.ts";
import { useAccount } from "../../session/client.tsx";
import { now } from "../../session/clock.ts";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { Mark, type MarkMood } from "../../ui/mark.tsx";
import { Moment } from "../../ui/moment.tsx";
import { WriteButton } from "../../ui/write-button.tsx";
import classes from "./webhooks.module.css";

export function Deliveries({ webhookId }: { webhookId: string }) {
  const { deliveries, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useDeliveries(webhookId);
  if (error && !deliveries)
    return (
      <ErrorNotice error={error} title="The deliveries cannot be shown" onRetry={() => void refetch()} />
    );
  if (!deliveries)
    return (
      <Stack gap="xs" mt="xs" aria-busy aria-label="Loading deliveries">
        <Skeleton h={44} />
        <Skeleton h={44} />
      </Stack>
    );
  if (deliveries.length === 0)
    return (
      <Text size="sm" c="dimmed" mt="xs">
        Nothing was sent yet. A test shows whether the receiver takes it.
      </Text>
    );
  return (
    <>
      <ol className={classes["deliveries"]} aria-label="Deliveries, newest first">
        {deliveries.map((delivery) => (
          <Delivery key={delivery.id} webhookId={webhookId} delivery={delivery} />
        ))}
      </ol>
      {hasNextPage && (
        <Center mt="sm">
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => void fetchNextPage()}
            loading={isFetchingNextPage}
          >
            Show older deliveries
          </Button>
        </Center>
      )}
    </>
  );
}

const STATES: Readonly<Record<string, { readonly word: string; readonly mood: MarkMood }>> = {
  pending: { word: "Waiting", mood: "waiting" },
  delivered: { word: "Delivered", mood: "good" },
  failed: { word: "Given up", mood: "bad" },
};

function Delivery({ webhookId, delivery }: { webhookId: string; delivery: DeliveryRecord }) {
  const { projectId } = useAccount();
  const again = useChange({
    send: (client, _input: null) => client.redeliverWebhook(webhookId, delivery.id),
    accepted: () => `${delivery.event_type} is sent once more.`,
    touches: [deliveriesKey(projectId, webhookId)],
  });
  const { word, mood } = STATES[delivery.state] ?? { word: delivery.state, mood: "warn" };
  return (
    <li>
      <div>
        <Mark mood={mood}>{word}</Mark>
      </div>
      <div className={classes["words"]}>
        <Text size="sm" ff="monospace" truncate title={`${delivery.event_type}, ${delivery.message_id}`}>
          {delivery.event_type}
        </Text>
        <Text size="xs" c="dimmed">
          <Moment at={delivery.created} /> · {outcome(delivery)}
          {isAhead(delivery.next_attempt) && (
            <>
              {" "}
              · next try <Moment at={delivery.next_attempt} ahead />
            </>
          )}
        </Text>
        {again.error && <ErrorNotice error={again.error} title="It was not sent again" />}
      </div>
      <WriteButton
        size="compact-xs"
        variant="default"
        loading={again.isPending}
        onClick={() => again.mutate(null)}
        aria-label={`Send again: ${delivery.event_type}`}
      >
        Send again
      </WriteButton>
    </li>
  );
}

/** One that is due waits for its turn, or for a receiver that is left alone for a while. */
function isAhead(moment: string | undefined): moment is string {
  return moment !== undefined && Date.parse(moment) > now();
}

/** "answered 200 in 41 ms", "2 tries, the receiver answered 503" */
function outcome({ attempts, response_status, error, duration_ms }: DeliveryRecord): string {
  if (attempts === 0) return "not tried yet";
  const took = duration_ms === undefined ? "" : ` in ${duration_ms} ms`;
  const tries = attempts === 1 ? "" : `${attempts} tries, `;
  if (error !== undefined) return `${tries}${error}`;
  return `${tries}answered ${response_status ?? "nothing"}${took}`;
}
