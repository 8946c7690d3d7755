import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Vpc } from "../../../../src/contract/vpcs.ts";
import { keys } from "../../data/queries.ts";
import { useChange } from "../../data/use-change.ts";
import { useAccount } from "../../session/client.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { nameProblem } from "../../ui/name-problem.ts";

export interface RenameVpcDialogProps {
  readonly vpc: Vpc;
  readonly opened: boolean;
  readonly onClose: () => void;
}

export function RenameVpcDialog({ opened, ...props }: RenameVpcDialogProps) {
  return (
    <Modal opened={opened} onClose={props.onClose} title="Rename the VPC">
      <Rename {...props} />
    </Modal>
  );
}

function Rename({ vpc, onClose }: Omit<RenameVpcDialogProps, "opened">) {
  const { projectId } = useAccount();
  const [name, setName] = useState(vpc.name);
  const problem = nameProblem(name.trim(), "A VPC needs a name.");
  const change = useChange({
    send: (client) => client.renameVpc(vpc.id, { name: name.trim() }),
    accepted: (renamed) => `The VPC is called ${renamed.name} now.`,
    touches: [keys.vpcs(projectId)],
    onAccepted: onClose,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (problem === null) change.mutate(undefined);
      }}
    >
      <Stack>
        <TextInput
          label="Name"
          description="Its network keeps the name that it has in the engine."
          value={name}
          error={problem}
          onChange={(event) => setName(event.currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
        {change.error && <ErrorNotice error={change.error} title="The VPC was not renamed" />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={change.isPending}>
            Rename
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
