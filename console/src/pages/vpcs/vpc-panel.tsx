/** One VPC: which services are reached from it, and which other networks reach them through it. */
import { Collapse, Group, Stack, Text, Title, UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { ChevronRight } from "lucide-react";
import { useState } from "react";
import type { ServiceRecord } from "../../../../src/client/index.ts";
import type { Vpc } from "../../../../src/contract/vpcs.ts";
import { keys } from "../../data/queries.ts";
import { useChange } from "../../data/use-change.ts";
import { useAccount } from "../../session/client.tsx";
import { ConfirmByName } from "../../ui/confirm-by-name.tsx";
import { Panel } from "../../ui/panel.tsx";
import { WriteButton } from "../../ui/write-button.tsx";
import { AttachedServices } from "./attached-services.tsx";
import { Peerings } from "./peerings.tsx";
import { addressesOf } from "./propose-cidr.ts";
import { RenameVpcDialog } from "./rename-vpc-dialog.tsx";
import classes from "./vpcs.module.css";

export interface VpcPanelProps {
  readonly vpc: Vpc;
  readonly services: readonly ServiceRecord[];
  readonly openAtFirst: boolean;
}

export function VpcPanel({ vpc, services, openAtFirst }: VpcPanelProps) {
  const [opened, { toggle }] = useDisclosure(openAtFirst);
  const [task, setTask] = useState<"rename" | "delete" | null>(null);
  const attached = services.filter((service) => service.vpc_endpoint?.vpc_id === vpc.id);
  const close = () => setTask(null);
  return (
    <Panel>
      <Group justify="space-between" align="flex-start" gap="xs">
        <UnstyledButton onClick={toggle} aria-expanded={opened} className={classes["toggle"]}>
          <ChevronRight
            size={16}
            aria-hidden
            className={classes["chevron"]}
            data-open={opened || undefined}
          />
          <span className={classes["words"]}>
            <Title order={2} className={classes["name"]} title={vpc.name}>
              {vpc.name}
            </Title>
            <Text span size="sm" c="dimmed">
              <span className={classes["mono"]}>{vpc.cidr}</span> · {addressesOf(vpc.cidr)} ·{" "}
              {vpc.region_code} · {attached.length === 1 ? "1 service" : `${attached.length} services`}
            </Text>
          </span>
        </UnstyledButton>
        <Group gap={6} wrap="nowrap">
          <WriteButton size="xs" variant="default" onClick={() => setTask("rename")}>
            Rename
          </WriteButton>
          <WriteButton
            size="xs"
            variant="default"
            unavailable={attached.length > 0 ? "Detach its services first." : null}
            onClick={() => setTask("delete")}
          >
            Delete
          </WriteButton>
        </Group>
      </Group>
      <Collapse expanded={opened}>
        {opened && (
          <Stack gap="xl" mt="lg">
            <AttachedServices vpc={vpc} attached={attached} services={services} />
            <Peerings vpc={vpc} />
          </Stack>
        )}
      </Collapse>
      <RenameVpcDialog vpc={vpc} opened={task === "rename"} onClose={close} />
      <DeleteVpc vpc={vpc} opened={task === "delete"} onClose={close} />
    </Panel>
  );
}

function DeleteVpc({ vpc, opened, onClose }: { vpc: Vpc; opened: boolean; onClose: () => void }) {
  const { projectId } = useAccount();
  const change = useChange({
    send: (client) => client.deleteVpc(vpc.id),
    accepted: () => `The VPC ${vpc.name} was deleted.`,
    touches: [keys.vpcs(projectId)],
    onAccepted: onClose,
  });
  return (
    <ConfirmByName
      opened={opened}
      onClose={() => {
        change.reset();
        onClose();
      }}
      title="Delete the VPC"
      name={vpc.name}
      action="Delete the VPC"
      busy={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate(undefined)}
    >
      <Text>Its network goes once no container is in it any more. No service and no data is touched.</Text>
    </ConfirmByName>
  );
}
