/** What the list asks before it does something to a service. */
import { Button, Group, Modal, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ServiceRecord } from "../../../../src/client/index.ts";
import { keys } from "../../data/queries.ts";
import { useChange } from "../../data/use-change.ts";
import { useAccount, useClient } from "../../session/client.tsx";
import { ConnectionStrings } from "../../ui/connection-strings.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";

export interface ServiceTask {
  readonly kind: "connect" | "stop" | "start";
  readonly service: ServiceRecord;
}

export interface ServiceDialogsProps {
  readonly task: ServiceTask | null;
  readonly onClose: () => void;
}

export function ServiceDialogs({ task, onClose }: ServiceDialogsProps) {
  if (!task) return null;
  const { kind, service } = task;
  if (kind === "connect") {
    return (
      <Modal opened onClose={onClose} size="lg" title={<Title words="Connect to" name={service.name} />}>
        <ConnectionStrings service={service} password={null} />
      </Modal>
    );
  }
  return <PowerDialog key={service.service_id} kind={kind} service={service} onClose={onClose} />;
}

function Title({ words, name }: { words: string; name: string }) {
  return (
    <Text fw={600} style={{ overflowWrap: "anywhere" }}>
      {words} {name}
    </Text>
  );
}

interface PowerDialogProps {
  readonly kind: "stop" | "start";
  readonly service: ServiceRecord;
  readonly onClose: () => void;
}

function PowerDialog({ kind, service, onClose }: PowerDialogProps) {
  const { service_id: id, name } = service;
  const client = useClient();
  const { projectId } = useAccount();
  const plan = useQuery({
    // Not among what events renew: what was just done is refused a second time.
    queryKey: [...keys.project(projectId), "dry-run", id, kind],
    queryFn: ({ signal }) => client.dryRun(id, { operation: kind }, { signal }),
    staleTime: 0,
  });
  const change = useChange({
    send: (api) => (kind === "stop" ? api.stopService(id) : api.startService(id)),
    accepted: ({ status }) => `${name}: ${kind} accepted, ${status}.`,
    touches: [keys.services(projectId), keys.service(projectId, id)],
    onAccepted: onClose,
  });
  const verb = kind === "stop" ? "Stop" : "Start";
  return (
    <Modal opened onClose={onClose} title={<Title words={verb} name={name} />}>
      <Stack>
        <Text>
          {kind === "stop"
            ? "CPU and memory are given back. Data, endpoint and password stay, and a start brings it back."
            : "It comes back with the data, the endpoint and the password that it had."}
        </Text>
        <Text size="sm" c="dimmed" mih={42} aria-live="polite">
          {plan.data ? (
            (plan.data.interruption?.message ?? plan.data.message)
          ) : plan.error ? null : (
            <Skeleton component="span" display="block" h={14} mt={4} />
          )}
        </Text>
        {(change.error ?? plan.error) && <ErrorNotice error={change.error ?? plan.error ?? new Error()} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            color={kind === "stop" ? "red" : "indigo"}
            loading={change.isPending}
            onClick={() => change.mutate(undefined)}
          >
            {verb} the service
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
