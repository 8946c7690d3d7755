/** Stops a service that runs and starts one that is stopped, once it is known what that takes. */
import { Modal, Stack, Text } from "@mantine/core";
import type { ServiceRecord } from "../../../src/client/index.ts";
import { useServiceChange } from "../data/use-service-change.ts";
import { ChangeReview } from "./change-review.tsx";
import type { Power } from "./power.ts";

/** What is asked for, as it was when somebody asked: the service's status may change while the dialog stands. */
export interface PowerAsked {
  readonly power: Power;
  readonly service: Pick<ServiceRecord, "service_id" | "name">;
}

export interface PowerDialogProps {
  /** null: it was not opened yet. */
  readonly asked: PowerAsked | null;
  readonly opened: boolean;
  readonly onClose: () => void;
}

const WORDS = {
  start: {
    title: "Start",
    action: "Start the service",
    failed: "The service was not started",
    accepted: "is being started",
    about: "The service comes back with its data, on the same endpoint, with the same password.",
  },
  stop: {
    title: "Stop",
    action: "Stop the service",
    failed: "The service was not stopped",
    accepted: "is being stopped",
    about:
      "PostgreSQL is shut down cleanly and gives its CPU and memory back. Data, endpoint, password and replicas stay.",
  },
} as const;

export function PowerDialog({ asked, opened, onClose }: PowerDialogProps) {
  const title = asked && `${WORDS[asked.power].title} ${asked.service.name}`;
  return (
    <Modal opened={opened} onClose={onClose} title={title} size="lg">
      {asked && <Asked {...asked} onClose={onClose} />}
    </Modal>
  );
}

function Asked({ power, service, onClose }: PowerAsked & { readonly onClose: () => void }) {
  const { service_id: id, name } = service;
  const words = WORDS[power];
  const change = useServiceChange({
    send: (client) => (power === "start" ? client.startService(id) : client.stopService(id)),
    accepted: () => `Accepted: ${name} ${words.accepted}.`,
    onAccepted: onClose,
  });
  return (
    <Stack gap="md">
      <Text size="sm">{words.about}</Text>
      <ChangeReview
        bare
        serviceId={id}
        change={{ operation: power }}
        action={words.action}
        failed={words.failed}
        sent={change}
        {...(power === "stop" ? { color: "red" } : {})}
        onApply={() => change.mutate(null)}
        onDiscard={onClose}
      />
    </Stack>
  );
}
