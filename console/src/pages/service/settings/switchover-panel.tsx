/** Letting a replica take over the lead while the primary lives. */
import { Modal } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Repeat2 } from "lucide-react";
import type { ServiceRecord } from "../../../../../src/client/index.ts";
import { useServiceChange } from "../../../data/use-service-change.ts";
import { ChangeReview } from "../../../ui/change-review.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { WriteButton } from "../../../ui/write-button.tsx";

export function SwitchoverPanel({
  service: { service_id: id, ha_replicas, status },
}: {
  service: ServiceRecord;
}) {
  const [opened, dialog] = useDisclosure();
  const switchover = useServiceChange({
    send: (client) => client.switchover(id),
    accepted: () => "Accepted: the lead is handed over.",
    onAccepted: dialog.close,
  });
  const unavailable =
    (ha_replicas?.replica_count ?? 0) === 0
      ? "There is no replica that could take over."
      : status === "PAUSED"
        ? "The service is stopped."
        : null;
  return (
    <Panel
      title="Switch over"
      description="The primary hands the lead to the replica that is furthest, a synchronous one first, and becomes its replica. To try out what clients do then, for example."
    >
      <WriteButton
        variant="default"
        leftSection={<Repeat2 size={15} aria-hidden />}
        unavailable={unavailable}
        onClick={() => {
          switchover.reset();
          dialog.open();
        }}
      >
        Switch over …
      </WriteButton>
      <Modal opened={opened} onClose={dialog.close} title="Switch over" size="lg">
        <ChangeReview
          bare
          serviceId={id}
          change={{ operation: "switchover" }}
          action="Hand over the lead"
          failed="The lead was not handed over"
          sent={switchover}
          onApply={() => switchover.mutate(null)}
          onDiscard={dialog.close}
        />
      </Modal>
    </Panel>
  );
}
