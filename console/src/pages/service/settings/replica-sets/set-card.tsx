/** One read replica set, and what can be done to it. */
import { Anchor, Group, SegmentedControl, Stack, Switch, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link, useNavigate } from "@tanstack/react-router";
import type { ReadReplicaSetRecord } from "../../../../../../src/client/index.ts";
import { useChange } from "../../../../data/use-change.ts";
import { useMayWrite } from "../../../../session/client.tsx";
import { ConfirmByName } from "../../../../ui/confirm-by-name.tsx";
import { Copy } from "../../../../ui/copy.tsx";
import { ENVIRONMENTS, type Environment, isEnvironment } from "../../../../ui/environments.ts";
import { ErrorNotice } from "../../../../ui/error-notice.tsx";
import { size } from "../../../../ui/format.ts";
import { StatusBadge } from "../../../../ui/status-badge.tsx";
import { WriteButton } from "../../../../ui/write-button.tsx";
import classes from "../settings-tab.module.css";
import { ResizeSetDialog } from "./resize-set-dialog.tsx";
import { nodesWords } from "./set-words.ts";

export interface SetCardProps {
  /** The service that the set reads from. */
  readonly serviceId: string;
  readonly regionCode: string;
  readonly set: ReadReplicaSetRecord;
  /** On the set's own page, where its name stands already. */
  readonly own?: boolean;
}

export function SetCard({ serviceId, regionCode, set, own = false }: SetCardProps) {
  const which = { serviceId, setId: set.id };
  const [resizing, resize] = useDisclosure();
  return (
    <div className={classes["set"]}>
      <Stack gap="md">
        <Group justify="space-between" gap="sm">
          {!own && (
            <Group gap="sm" wrap="nowrap" miw={0} flex="1 1 200px">
              <Anchor
                renderRoot={(props) => (
                  <Link to="/services/$serviceId" params={{ serviceId: set.id }} {...props} />
                )}
                c="inherit"
                fw={600}
                truncate
                title={set.name}
              >
                {set.name}
              </Anchor>
              <StatusBadge status={set.status} />
            </Group>
          )}
          <Text size="sm" c="dimmed" flex={own ? 1 : undefined}>
            {nodesWords(set.nodes)} of {size(set)}
          </Text>
          <Group gap="xs">
            <WriteButton size="xs" variant="default" onClick={resize.open}>
              Resize …
            </WriteButton>
            <Delete which={which} set={set} />
          </Group>
        </Group>
        <Facts which={which} set={set} />
      </Stack>
      <ResizeSetDialog
        which={which}
        set={set}
        regionCode={regionCode}
        opened={resizing}
        onClose={resize.close}
      />
    </div>
  );
}

interface PartProps {
  readonly which: { readonly serviceId: string; readonly setId: string };
  readonly set: ReadReplicaSetRecord;
}

function Facts({ which, set: { endpoint, connection_pooler: pooler, metadata } }: PartProps) {
  const mayWrite = useMayWrite();
  const pool = useChange({
    send: (client, on: boolean) =>
      on ? client.enableReadReplicaSetPooler(which) : client.disableReadReplicaSetPooler(which),
    accepted: ({ message }) => message,
  });
  const mark = useChange({
    send: (client, environment: Environment) => client.setReadReplicaSetEnvironment(which, { environment }),
    accepted: ({ message }) => message,
  });
  const error = pool.error ?? mark.error;
  return (
    <>
      <dl className={classes["facts"]}>
        <dt>Endpoint</dt>
        <dd>
          <Address endpoint={endpoint} what="the set's endpoint" />
        </dd>
        <dt>Pooler</dt>
        <dd>
          <Switch
            aria-label="Pooler of the set"
            label={pooler ? undefined : "Off"}
            size="xs"
            mr={6}
            checked={pool.isPending ? pool.variables : pooler !== undefined}
            disabled={!mayWrite || pool.isPending}
            onChange={(event) => pool.mutate(event.currentTarget.checked)}
          />
          {pooler && <Address endpoint={pooler.endpoint} what="the pooler's endpoint" />}
        </dd>
        <dt>Environment</dt>
        <dd>
          <SegmentedControl
            size="xs"
            aria-label="Environment of the set"
            value={mark.isPending ? mark.variables : (metadata?.environment ?? "")}
            disabled={!mayWrite}
            data={[...ENVIRONMENTS]}
            onChange={(next) => isEnvironment(next) && mark.mutate(next)}
          />
        </dd>
      </dl>
      {error && <ErrorNotice error={error} title="The set was not changed" />}
    </>
  );
}

interface AddressProps {
  readonly endpoint: ReadReplicaSetRecord["endpoint"];
  readonly what: string;
}

function Address({ endpoint, what }: AddressProps) {
  if (!endpoint?.host) return "Not there yet";
  const address = `${endpoint.host}:${endpoint.port}`;
  return (
    <>
      <span className={classes["mono"]}>{address}</span>
      <Copy text={address} what={what} />
    </>
  );
}

function Delete({ which, set: { name, status } }: PartProps) {
  const [opened, dialog] = useDisclosure();
  const navigate = useNavigate();
  const remove = useChange({
    send: (client) => client.deleteReadReplicaSet(which),
    accepted: () => `Accepted: the read replica set ${name} is being deleted.`,
    onAccepted: () => {
      dialog.close();
      void navigate({
        to: "/services/$serviceId/settings",
        params: { serviceId: which.serviceId },
        hash: "read-replica-sets",
      });
    },
  });
  return (
    <>
      <WriteButton
        size="xs"
        variant="default"
        color="red"
        unavailable={status === "deleting" ? "It is being deleted." : null}
        onClick={() => {
          remove.reset();
          dialog.open();
        }}
      >
        Delete …
      </WriteButton>
      <ConfirmByName
        opened={opened}
        onClose={dialog.close}
        title="Delete the read replica set"
        name={name}
        action="Delete the set"
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate(null)}
      >
        <Text size="sm">
          Its nodes and its endpoint are removed, and all sessions on them end. The service itself and its
          data stay.
        </Text>
      </ConfirmByName>
    </>
  );
}
