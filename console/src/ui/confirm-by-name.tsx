/** A dialog for what cannot be taken back: it asks for the name of what it is done to. */
import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { ErrorNotice } from "./error-notice.tsx";

export interface ConfirmByNameProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** What will be lost. */
  readonly children: ReactNode;
  /** To be typed. */
  readonly name: string;
  /** On the button, such as "Delete the service". */
  readonly action: string;
  readonly busy: boolean;
  readonly error: Error | null;
  readonly onConfirm: () => void;
}

export function ConfirmByName(props: ConfirmByNameProps) {
  const { opened, onClose, title, children, name, action, busy, error, onConfirm } = props;
  const [typed, setTyped] = useState("");
  const right = typed.trim() === name.trim();
  return (
    <Modal opened={opened} onClose={onClose} title={title} onExitTransitionEnd={() => setTyped("")}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (right) onConfirm();
        }}
      >
        <Stack gap="md">
          <div>{children}</div>
          <TextInput
            label={
              <>
                Type{" "}
                <Text span fw={600} style={{ overflowWrap: "anywhere" }}>
                  {name}
                </Text>{" "}
                to confirm
              </>
            }
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
          />
          {error && <ErrorNotice error={error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color="red" disabled={!right} loading={busy}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
