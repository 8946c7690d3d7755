/** How to connect, in the form that somebody needs. */
import { Modal } from "@mantine/core";
import type { ServiceRecord } from "../../../src/client/index.ts";
import { ConnectionStrings } from "./connection-strings.tsx";

export interface ConnectDialogProps {
  /** null: it was not opened yet. */
  readonly service: ServiceRecord | null;
  readonly opened: boolean;
  readonly onClose: () => void;
}

export function ConnectDialog({ service, opened, onClose }: ConnectDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={`Connect to ${service?.name ?? ""}`} size="xl">
      {service && <ConnectionStrings service={service} password={null} />}
    </Modal>
  );
}
