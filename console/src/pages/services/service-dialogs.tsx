/** What the list asks before it does something to a service. */
import type { ServiceRecord } from "../../../../src/client/index.ts";
import { ConnectDialog } from "../../ui/connect-dialog.tsx";
import type { Power } from "../../ui/power.ts";
import { PowerDialog } from "../../ui/power-dialog.tsx";

export interface ServiceTask {
  readonly kind: "connect" | Power;
  readonly service: ServiceRecord;
}

export interface ServiceDialogsProps {
  /** null: none was opened yet. */
  readonly task: ServiceTask | null;
  readonly opened: boolean;
  readonly onClose: () => void;
}

export function ServiceDialogs({ task, opened, onClose }: ServiceDialogsProps) {
  const connects = task?.kind === "connect";
  const asked = task && task.kind !== "connect" ? { power: task.kind, service: task.service } : null;
  return (
    <>
      <ConnectDialog service={connects ? task.service : null} opened={opened && connects} onClose={onClose} />
      <PowerDialog asked={asked} opened={opened && asked !== null} onClose={onClose} />
    </>
  );
}
