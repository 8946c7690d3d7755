/** Adds a read replica set to a service. */
import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import type { ServiceRecord } from "../../../../../../src/client/index.ts";
import { useChange } from "../../../../data/use-change.ts";
import { ErrorNotice } from "../../../../ui/error-notice.tsx";
import { LONGEST_NAME } from "../../../../ui/name-problem.ts";
import { WriteButton } from "../../../../ui/write-button.tsx";
import { SetForm, type SetShape } from "./set-form.tsx";

export interface CreateSetDialogProps {
  readonly service: ServiceRecord;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Where the service's own size is shared, which nodes of a set cannot have. */
const SMALLEST = { cpu_millis: 500, memory_gbs: 2 };

export function CreateSetDialog({ service, opened, onClose }: CreateSetDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Add a read replica set">
      <Create service={service} onClose={onClose} />
    </Modal>
  );
}

function Create({ service, onClose }: Omit<CreateSetDialogProps, "opened">) {
  const { cpu_millis = SMALLEST.cpu_millis, memory_gbs = SMALLEST.memory_gbs } =
    service.resources[0]?.spec ?? {};
  const [name, setName] = useState("");
  const [shape, setShape] = useState<SetShape>({ nodes: 1, cpu_millis, memory_gbs });
  const create = useChange({
    send: (client) =>
      client.createReadReplicaSet(service.service_id, { name, ...shape, nodes: Number(shape.nodes) }),
    accepted: (set) => `Accepted: the read replica set ${set.name} is being made.`,
    onAccepted: onClose,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate(null);
      }}
    >
      <Stack gap="md">
        <TextInput
          label="Name"
          placeholder="reports"
          required
          maxLength={LONGEST_NAME}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        <SetForm regionCode={service.region_code} value={shape} onChange={setShape} />
        {create.error && <ErrorNotice error={create.error} title="No set was made" />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <WriteButton type="submit" loading={create.isPending}>
            Add the set
          </WriteButton>
        </Group>
      </Stack>
    </form>
  );
}
