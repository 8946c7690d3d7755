/** The services that are reached from a VPC. */
import { Button, Group, Select, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { ServiceRecord } from "../../../../src/client/index.ts";
import type { Vpc } from "../../../../src/contract/vpcs.ts";
import { keys } from "../../data/queries.ts";
import { useChange } from "../../data/use-change.ts";
import { useAccount, useMayWrite } from "../../session/client.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Copy } from "../../ui/copy.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { type Dialog, useDialog } from "../../ui/use-dialog.ts";
import { WriteButton } from "../../ui/write-button.tsx";
import classes from "./vpcs.module.css";

export interface AttachedServicesProps {
  readonly vpc: Vpc;
  readonly attached: readonly ServiceRecord[];
  /** All of the project. */
  readonly services: readonly ServiceRecord[];
}

export function AttachedServices({ vpc, attached, services }: AttachedServicesProps) {
  const leaving = useDialog<ServiceRecord>();
  return (
    <section>
      <Title order={3}>Services</Title>
      <Text size="sm" c="dimmed" mb="xs">
        Containers in the VPC reach them by these names. <code>howdah vpc list</code> tells the network's name
        for <code>docker run --network</code>.
      </Text>
      {attached.length > 0 && (
        <ul className={classes["list"]}>
          {attached.map((service) => {
            const { service_id: serviceId, name, vpc_endpoint: endpoint } = service;
            const address = `${endpoint?.host ?? ""}:${endpoint?.port ?? ""}`;
            return (
              <li key={serviceId} className={classes["item"]}>
                <div className={classes["words"]}>
                  <Link
                    to="/services/$serviceId"
                    params={{ serviceId }}
                    className={classes["link"]}
                    title={name}
                  >
                    {name}
                  </Link>
                  <Group gap={2} wrap="nowrap">
                    <Text span size="xs" c="dimmed" ff="monospace" truncate title={address}>
                      {address}
                    </Text>
                    <Copy text={address} what={`the address of ${name} in the VPC`} />
                  </Group>
                </div>
                <WriteButton
                  size="xs"
                  variant="default"
                  onClick={() => leaving.open(service)}
                  aria-label={`Detach ${name}`}
                >
                  Detach
                </WriteButton>
              </li>
            );
          })}
        </ul>
      )}
      <Attach vpc={vpc} services={services} />
      <Detach vpc={vpc} dialog={leaving} />
    </section>
  );
}

/** A service is in one VPC at most. */
function attachable(services: readonly ServiceRecord[], { region_code: region }: Vpc) {
  return services
    .filter(
      (service) => !service.vpc_endpoint && service.region_code === region && service.status !== "DELETING",
    )
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

function Attach({ vpc, services }: { vpc: Vpc; services: readonly ServiceRecord[] }) {
  const { projectId } = useAccount();
  const mayWrite = useMayWrite();
  const [serviceId, setServiceId] = useState<string | null>(null);
  const change = useChange({
    send: (client, id: string) => client.attachToVpc(id, { vpc_id: vpc.id }),
    accepted: ({ message }) => message,
    touches: [keys.services(projectId)],
    onAccepted: () => setServiceId(null),
  });
  const choices = attachable(services, vpc);
  if (!mayWrite) return null;
  if (choices.length === 0) {
    return (
      <Text size="sm" c="dimmed" mt="xs">
        No other service of the region {vpc.region_code} can be attached.
      </Text>
    );
  }
  return (
    <>
      <Group gap="xs" mt="xs">
        <Select
          aria-label={`A service to attach to ${vpc.name}`}
          placeholder="Choose a service"
          data={choices.map(({ service_id: value, name }) => ({ value, label: `${name} · ${value}` }))}
          value={serviceId}
          onChange={setServiceId}
          searchable
          clearable
          nothingFoundMessage="No service has that name"
          className={classes["field"]}
        />
        <Button
          variant="default"
          disabled={serviceId === null}
          loading={change.isPending}
          onClick={() => serviceId !== null && change.mutate(serviceId)}
        >
          Attach
        </Button>
      </Group>
      {change.error && (
        <div className={classes["below"]}>
          <ErrorNotice error={change.error} title="The service was not attached" />
        </div>
      )}
    </>
  );
}

function Detach({ vpc, dialog }: { vpc: Vpc; dialog: Dialog<ServiceRecord> }) {
  const { about: service, opened, close } = dialog;
  const { projectId } = useAccount();
  const change = useChange({
    send: (client, id: string) => client.detachFromVpc(id, { vpc_id: vpc.id }),
    accepted: ({ message }) => message,
    touches: [keys.services(projectId)],
    onAccepted: close,
  });
  return (
    <Confirm
      opened={opened}
      title={`Detach ${service?.name ?? ""}`}
      text="Connections from the VPC end. The service's own endpoint goes on."
      action="Detach the service"
      failed="The service was not detached"
      busy={change.isPending}
      error={change.error}
      onConfirm={() => service && change.mutate(service.service_id)}
      onClose={() => {
        change.reset();
        close();
      }}
    />
  );
}
