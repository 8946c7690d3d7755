/** Stops a service that runs and starts one that is stopped, once it is known what that takes. */
import { Modal, Stack, Text } from "@mantine/core";
import type { ServiceRecord } from "../../../../src/client/index.ts";
import { ChangeReview } from "./settings/change-review.tsx";
import { useServiceChange } from "./settings/use-service-change.ts";

export interface PowerDialogProps {
  readonly service: ServiceRecord;
  readonly opened: boolean;
  readonly onClose: () => void;
}

const WORDS = {
  start: {
    action: "Start the service",
    failed: "The service was not started",
    accepted: "Accepted: the service is started.",
    about: "The service comes back with its data, on the same endpoint, with the same password.",
  },
  stop: {
    action: "Stop the service",
    failed: "The service was not stopped",
    accepted: "Accepted: the service is stopped.",
    about:
      "PostgreSQL is shut down cleanly and gives its CPU and memory back. Data, endpoint, password and replicas stay.",
  },
} as const;

/** What a person would do to a service in this state. */
export function powerOf({ status }: Pick<ServiceRecord, "status">): "start" | "stop" {
  return status === "PAUSED" || status === "PAUSING" ? "start" : "stop";
}

export function PowerDialog({ service, opened, onClose }: PowerDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={WORDS[powerOf(service)].action} size="lg">
      {/* Inside, so that it begins anew each time. */}
      <Power service={service} onClose={onClose} />
    </Modal>
  );
}

function Power({ service, onClose }: Omit<PowerDialogProps, "opened">) {
  const { service_id: id } = service;
  const operation = powerOf(service);
  const words = WORDS[operation];
  const change = useServiceChange({
    send: (client, asked: "start" | "stop") =>
      asked === "start" ? client.startService(id) : client.stopService(id),
    accepted: (_, asked) => WORDS[asked].accepted,
    onAccepted: onClose,
  });
  return (
    <Stack gap="md">
      <Text size="sm">{words.about}</Text>
      <ChangeReview
        bare
        serviceId={id}
        change={{ operation }}
        action={words.action}
        failed={words.failed}
        busy={change.isPending}
        error={change.error}
        onApply={() => change.mutate(operation)}
        onDiscard={onClose}
      />
    </Stack>
  );
}
