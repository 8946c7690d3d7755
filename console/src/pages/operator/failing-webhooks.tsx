/** Webhooks whose receivers do not take what is sent. */
import { Table, Text } from "@mantine/core";
import type { OverviewRecord } from "../../../../src/client/index.ts";
import { Mark } from "../../ui/mark.tsx";
import { Moment } from "../../ui/moment.tsx";
import { Panel } from "../../ui/panel.tsx";
import classes from "./operator-page.module.css";

type FailingWebhook = OverviewRecord["webhooks"][number];

export function FailingWebhooks({ webhooks }: { webhooks: readonly FailingWebhook[] }) {
  return (
    <Panel title="Webhooks that fail" description="Their receivers do not take what is sent." flush>
      <section className={classes["scroll"]} aria-label="Webhooks that fail" tabIndex={0}>
        <Table className={classes["table"]} verticalSpacing="sm" horizontalSpacing="lg">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Receiver</Table.Th>
              <Table.Th>State</Table.Th>
              <Table.Th visibleFrom="sm">Waiting</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {webhooks.map((webhook) => (
              <Table.Tr key={webhook.id}>
                <Table.Td className={classes["who"]}>
                  <Text size="sm" fw={550} truncate title={webhook.host}>
                    {webhook.host}
                  </Text>
                  <Text size="xs" c="dimmed" truncate>
                    {webhook.project.name} · {webhook.id}
                  </Text>
                </Table.Td>
                <Table.Td>
                  {webhook.enabled ? (
                    <Mark mood="warn">
                      {webhook.failures} {webhook.failures === 1 ? "failure" : "failures"} in a row
                    </Mark>
                  ) : (
                    <Mark mood="bad">Disabled</Mark>
                  )}
                  <Text size="xs" c="dimmed" mt={3}>
                    {webhook.disabled_reason}
                    {webhook.rests_until !== undefined && (
                      <>
                        next try <Moment at={webhook.rests_until} ahead />
                      </>
                    )}
                  </Text>
                </Table.Td>
                <Table.Td visibleFrom="sm">
                  {webhook.waiting} {webhook.waiting === 1 ? "delivery" : "deliveries"}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
    </Panel>
  );
}
