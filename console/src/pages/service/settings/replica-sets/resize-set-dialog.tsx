/** Changes how many nodes a read replica set has, and their size. */
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { ReadReplicaSetRecord, SetOfService } from "../../../../../../src/client/index.ts";
import { useChange } from "../../../../data/use-change.ts";
import { ErrorNotice } from "../../../../ui/error-notice.tsx";
import { size } from "../../../../ui/format.ts";
import { WriteButton } from "../../../../ui/write-button.tsx";
import { SetForm, type SetShape } from "./set-form.tsx";
import { nodesWords } from "./set-words.ts";

export interface ResizeSetDialogProps {
  readonly which: SetOfService;
  readonly set: ReadReplicaSetRecord;
  readonly regionCode: string;
  readonly opened: boolean;
  readonly onClose: () => void;
}

export function ResizeSetDialog({ opened, onClose, ...props }: ResizeSetDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={`Resize ${props.set.name}`}>
      <Resize onClose={onClose} {...props} />
    </Modal>
  );
}

function Resize({ which, set, regionCode, onClose }: Omit<ResizeSetDialogProps, "opened">) {
  const { nodes, cpu_millis, memory_gbs } = set;
  const [shape, setShape] = useState<SetShape>({ nodes, cpu_millis, memory_gbs });
  const resize = useChange({
    send: (client, to: SetShape) => client.resizeReadReplicaSet(which, { ...to, nodes: Number(to.nodes) }),
    accepted: (answer) =>
      `Accepted: ${answer.name} is changed to ${nodesWords(answer.nodes)} of ${size(answer)}.`,
    onAccepted: onClose,
  });
  const same = shape.nodes === nodes && shape.cpu_millis === cpu_millis && shape.memory_gbs === memory_gbs;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!same) resize.mutate(shape);
      }}
    >
      <Stack gap="md">
        <SetForm regionCode={regionCode} value={shape} onChange={setShape} />
        <Text size="sm" c="dimmed">
          For a new size, nodes restart one at a time; with more than one, the others answer meanwhile.
          Sessions on a node that restarts or goes end, and can reconnect at once.
        </Text>
        {resize.error && <ErrorNotice error={resize.error} title="The set was not resized" />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <WriteButton
            type="submit"
            loading={resize.isPending}
            unavailable={same ? "The set is like that already." : null}
          >
            {`Resize to ${nodesWords(Number(shape.nodes))} of ${size(shape)}`}
          </WriteButton>
        </Group>
      </Stack>
    </form>
  );
}
