/** One value in full. */
import { Group, Modal, Text } from "@mantine/core";
import { Copy } from "../../ui/copy.tsx";
import classes from "./query.module.css";

export interface ValueDialogProps {
  readonly column: { readonly name: string; readonly type: string } | undefined;
  readonly value: string | null;
  readonly onClose: () => void;
}

export function ValueDialog({ column, value, onClose }: ValueDialogProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      centered
      title={
        <Group gap="xs">
          <Text fw={600}>{column?.name}</Text>
          <Text size="sm" c="dimmed">
            {column?.type}
          </Text>
          {value !== null && <Copy text={value} what="the value" />}
        </Group>
      }
    >
      {value === null ? (
        <Text c="dimmed">NULL</Text>
      ) : (
        <pre className={classes["value"]} tabIndex={0}>
          {readable(value, column?.type ?? "")}
        </pre>
      )}
    </Modal>
  );
}

function readable(value: string, type: string): string {
  if (!type.startsWith("json")) return value;
  try {
    return JSON.stringify(JSON.parse(value), null, 2);
  } catch {
    return value;
  }
}
