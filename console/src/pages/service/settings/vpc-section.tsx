/** The private network from which the service is reached. */
import { Anchor, Group, NativeSelect, Skeleton, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { ServiceRecord } from "../../../../../src/client/index.ts";
import type { Vpc } from "../../../../../src/contract/vpcs.ts";
import { useQueries } from "../../../data/queries.ts";
import { useChange } from "../../../data/use-change.ts";
import { useMayWrite } from "../../../session/client.tsx";
import { Confirm } from "../../../ui/confirm.tsx";
import { Copy } from "../../../ui/copy.tsx";
import { ErrorNotice } from "../../../ui/error-notice.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { WriteButton } from "../../../ui/write-button.tsx";
import classes from "./settings-tab.module.css";

export function VpcSection({ service }: { service: ServiceRecord }) {
  const { data: vpcs, error, refetch } = useQuery(useQueries().vpcs);
  return (
    <Panel
      title="VPC"
      description="A network of the engine for containers of your own. Attached to one, the service is reached from there under a name that stays, whatever the list of who may connect says."
    >
      {error ? (
        <ErrorNotice error={error} title="The VPCs cannot be shown" onRetry={() => void refetch()} />
      ) : !vpcs ? (
        <Skeleton h={90} />
      ) : service.vpc_endpoint ? (
        <Attached service={service} vpcs={vpcs} />
      ) : (
        <Detached service={service} vpcs={vpcs} />
      )}
    </Panel>
  );
}

interface VpcProps {
  readonly service: ServiceRecord;
  readonly vpcs: readonly Vpc[];
}

function Attached({ service: { service_id: id, vpc_endpoint }, vpcs }: VpcProps) {
  const [asking, dialog] = useDisclosure();
  const { host, port, vpc_id = "" } = vpc_endpoint ?? {};
  const vpc = vpcs.find((each) => each.id === vpc_id);
  const name = vpc?.name ?? vpc_id;
  const detach = useChange({
    send: (client, from: string) => client.detachFromVpc(id, { vpc_id: from }),
    accepted: ({ message }) => message,
    onAccepted: dialog.close,
  });
  return (
    <Stack gap="md">
      <dl className={classes["facts"]}>
        <dt>Attached to</dt>
        <dd>
          <Anchor component={Link} to="/vpcs" size="sm" truncate title={name}>
            {name}
          </Anchor>
          {vpc && (
            <Text span size="sm" c="dimmed" ff="monospace">
              {vpc.cidr}
            </Text>
          )}
        </dd>
        <dt>Endpoint there</dt>
        <dd>
          <span className={classes["mono"]}>{`${host}:${port}`}</span>
          <Copy text={`${host}:${port}`} what="the endpoint in the VPC" />
        </dd>
      </dl>
      <div>
        <WriteButton
          variant="default"
          onClick={() => {
            detach.reset();
            dialog.open();
          }}
        >
          Detach …
        </WriteButton>
      </div>
      <Confirm
        opened={asking}
        title={`Detach from ${name}?`}
        text="Connections from the VPC, and from what it is peered with, end. All others notice nothing."
        action="Detach"
        failed="The service was not detached"
        busy={detach.isPending}
        error={detach.error}
        onConfirm={() => detach.mutate(vpc_id)}
        onClose={dialog.close}
      />
    </Stack>
  );
}

function Detached({ service: { service_id: id, region_code }, vpcs }: VpcProps) {
  const mayWrite = useMayWrite();
  const here = vpcs.filter((vpc) => vpc.region_code === region_code);
  const [chosen, choose] = useState(here[0]?.id ?? "");
  const attach = useChange({
    send: (client, vpc_id: string) => client.attachToVpc(id, { vpc_id }),
    accepted: ({ message }) => message,
  });
  if (here.length === 0)
    return (
      <Text size="sm" c="dimmed">
        There is no VPC in the region {region_code}.{" "}
        <Anchor component={Link} to="/vpcs" size="sm" underline="always">
          Make one
        </Anchor>{" "}
        first.
      </Text>
    );
  return (
    <Stack gap="sm">
      <Group align="flex-end" gap="xs">
        <NativeSelect
          label="VPC"
          flex="1 1 240px"
          maw={420}
          disabled={!mayWrite}
          value={chosen}
          data={here.map((vpc) => ({ value: vpc.id, label: `${vpc.name} (${vpc.cidr})` }))}
          onChange={(event) => choose(event.currentTarget.value)}
        />
        <WriteButton loading={attach.isPending} onClick={() => attach.mutate(chosen)}>
          Attach
        </WriteButton>
      </Group>
      {attach.error && <ErrorNotice error={attach.error} title="The service was not attached" />}
    </Stack>
  );
}
