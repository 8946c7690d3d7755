/** PgBouncer in front of the service. */
import { Stack, Switch, Table, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ServiceRecord } from "../../../../../src/client/index.ts";
import { VPC_POOLER_PORT } from "../../../../../src/contract/vpcs.ts";
import { useChange } from "../../../data/use-change.ts";
import { useMayWrite } from "../../../session/client.tsx";
import { Confirm } from "../../../ui/confirm.tsx";
import { Copy } from "../../../ui/copy.tsx";
import { ErrorNotice } from "../../../ui/error-notice.tsx";
import { Panel } from "../../../ui/panel.tsx";
import classes from "./settings-tab.module.css";

export function PoolerSection({ service }: { service: ServiceRecord }) {
  const { service_id: id, connection_pooler: pooler, vpc_endpoint } = service;
  const mayWrite = useMayWrite();
  const [asking, dialog] = useDisclosure();
  const change = useChange({
    send: (client, on: boolean) => (on ? client.enablePooler(id) : client.disablePooler(id)),
    accepted: ({ message }) => message,
    onAccepted: dialog.close,
  });
  return (
    <Panel
      title="Connection pooler"
      description="PgBouncer lends few connections of the database to many clients. For applications that open many connections or short ones, such as functions and web servers."
    >
      <Stack gap="md">
        <Switch
          label={pooler ? "On" : "Off"}
          aria-label="Connection pooler"
          checked={pooler !== undefined}
          disabled={!mayWrite || change.isPending}
          onChange={(event) => {
            change.reset();
            if (event.currentTarget.checked) change.mutate(true);
            else dialog.open();
          }}
        />
        {change.isPending && (
          <Text size="sm" c="dimmed" role="status">
            The answer comes once it is so, within a few seconds …
          </Text>
        )}
        {change.error && !asking && <ErrorNotice error={change.error} title="The pooler was not changed" />}
        {pooler?.endpoint?.host && <Where host={pooler.endpoint.host} port={pooler.endpoint.port} />}
        {pooler && vpc_endpoint?.host && (
          <Where host={vpc_endpoint.host} port={VPC_POOLER_PORT} where="In the VPC" />
        )}
        <Databases />
      </Stack>
      <Confirm
        opened={asking}
        title="Turn the pooler off?"
        text="Sessions through the pooler end, and nobody can connect to its port. Connections to the endpoint itself notice nothing. Turned on again, it has the same port."
        action="Turn the pooler off"
        failed="The pooler was not changed"
        busy={change.isPending}
        error={change.error}
        onConfirm={() => change.mutate(false)}
        onClose={dialog.close}
      />
    </Panel>
  );
}

function Where({
  host,
  port,
  where = "Endpoint",
}: {
  host: string;
  port?: number | undefined;
  where?: string;
}) {
  const address = `${host}:${port}`;
  return (
    <dl className={classes["facts"]}>
      <dt>{where}</dt>
      <dd>
        <span className={classes["mono"]}>{address}</span>
        <Copy text={address} what="the pooler's endpoint" />
      </dd>
    </dl>
  );
}

function Databases() {
  return (
    <Table.ScrollContainer minWidth={420} type="native" tabIndex={0}>
      <Table verticalSpacing="xs" fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th className={classes["narrow"]}>Database name</Table.Th>
            <Table.Th>What a client gets</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          <Table.Tr>
            <Table.Td className={classes["narrow"]} ff="monospace">
              tsdb_transaction
            </Table.Td>
            <Table.Td>
              A connection for each transaction. The fewest connections by far; nothing of a session lasts,
              such as temporary tables, LISTEN or SET. During planned work, transactions wait instead of
              failing.
            </Table.Td>
          </Table.Tr>
          <Table.Tr>
            <Table.Td className={classes["narrow"]} ff="monospace">
              tsdb
            </Table.Td>
            <Table.Td>A connection for as long as the client stays, as without the pooler.</Table.Td>
          </Table.Tr>
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
