/** What takes the service away, for a while or for good. */
import { Skeleton, Switch, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ServiceRecord } from "../../../../../src/client/index.ts";
import { useQueries } from "../../../data/queries.ts";
import { useChange } from "../../../data/use-change.ts";
import { useMayWrite } from "../../../session/client.tsx";
import { ConfirmByName } from "../../../ui/confirm-by-name.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { powerOf, whyNoPower } from "../../../ui/power.ts";
import { type PowerAsked, PowerDialog } from "../../../ui/power-dialog.tsx";
import { useDialog } from "../../../ui/use-dialog.ts";
import { WriteButton } from "../../../ui/write-button.tsx";
import { SettingsRow } from "./settings-row.tsx";

export function DangerSection({ service }: { service: ServiceRecord }) {
  return (
    <Panel title="Danger zone">
      <Protection service={service} />
      <Power service={service} />
      <Delete service={service} />
    </Panel>
  );
}

function Protection({ service: { service_id: id } }: { service: ServiceRecord }) {
  const mayWrite = useMayWrite();
  const query = useQueries().deletionProtection(id);
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(query);
  const change = useChange({
    send: (client, on: boolean) => client.setDeletionProtection(id, { deletion_protection: on }),
    accepted: (answer) =>
      answer.deletion_protection ? "The service is protected." : "The service is not protected any more.",
    onAccepted: (answer) => queryClient.setQueryData(query.queryKey, answer),
  });
  return (
    <SettingsRow
      title="Deletion protection"
      description="While it is on, every deletion of the service is refused, by this console and by all other clients."
      error={change.error ?? error}
      onRetry={error ? () => void refetch() : undefined}
    >
      {data ? (
        <Switch
          label={data.deletion_protection ? "On" : "Off"}
          aria-label="Deletion protection"
          checked={data.deletion_protection}
          disabled={!mayWrite || change.isPending}
          onChange={(event) => change.mutate(event.currentTarget.checked)}
        />
      ) : (
        <Skeleton h={22} w={70} />
      )}
    </SettingsRow>
  );
}

function Power({ service }: { service: ServiceRecord }) {
  const dialog = useDialog<PowerAsked>();
  const power = powerOf(service);
  const stopped = power === "start";
  return (
    <SettingsRow
      title={stopped ? "Start the service" : "Stop the service"}
      description={
        stopped
          ? "It comes back with its data, on the same endpoint."
          : "Nobody can connect until it is started again. Data, endpoint and password stay; CPU and memory are given back."
      }
    >
      <WriteButton
        variant="default"
        onClick={() => dialog.open({ power, service })}
        unavailable={whyNoPower(service)}
      >
        {stopped ? "Start …" : "Stop …"}
      </WriteButton>
      <PowerDialog asked={dialog.about} opened={dialog.opened} onClose={dialog.close} />
    </SettingsRow>
  );
}

function Delete({
  service: { service_id: id, name, read_replica_sets = [], status },
}: {
  service: ServiceRecord;
}) {
  const [opened, dialog] = useDisclosure();
  const navigate = useNavigate();
  const { data } = useQuery(useQueries().deletionProtection(id));
  const remove = useChange({
    send: (client) => client.deleteService(id),
    accepted: () => `Accepted: ${name} is being deleted.`,
    onAccepted: () => {
      dialog.close();
      // Nothing of it can be saved any more.
      void navigate({ to: "/services", ignoreBlocker: true });
    },
  });
  const unavailable = data?.deletion_protection
    ? "The service is protected against deletion. Turn the protection off first."
    : status === "DELETING"
      ? "It is being deleted."
      : null;
  const sets = read_replica_sets.length;
  return (
    <SettingsRow
      title="Delete the service"
      description={
        unavailable ?? "The service, its endpoint and all its data are removed. Nobody can bring them back."
      }
    >
      <WriteButton
        color="red"
        unavailable={unavailable}
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
        title="Delete the service"
        name={name}
        action="Delete the service and its data"
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate(null)}
      >
        <Text size="sm">
          All its data is removed with it
          {sets > 0 && `, and ${sets === 1 ? "its read replica set" : `its ${sets} read replica sets`}`}. All
          sessions end. This cannot be taken back.
        </Text>
      </ConfirmByName>
    </SettingsRow>
  );
}
