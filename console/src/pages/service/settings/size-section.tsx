/** CPU and memory of each member. */
import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ServiceRecord } from "../../../../../src/client/index.ts";
import { useQueries } from "../../../data/queries.ts";
import { useServiceChange } from "../../../data/use-service-change.ts";
import { ChangeReview } from "../../../ui/change-review.tsx";
import { ErrorNotice } from "../../../ui/error-notice.tsx";
import { size } from "../../../ui/format.ts";
import { Panel } from "../../../ui/panel.tsx";
import { useDraft } from "../drafts.tsx";
import { keyOfSize, type OfferedSize, SizeCards } from "./size-cards.tsx";

export function SizeSection({ service }: { service: ServiceRecord }) {
  const { service_id: id, region_code, resources } = service;
  const { data: regions, error, refetch } = useQuery(useQueries().regions);
  const [chosen, setChosen] = useDraft("size");
  const choose = (to: OfferedSize | null) => setChosen(() => to);
  const now = resources[0]?.spec ?? {};
  const resize = useServiceChange({
    send: (client, to: OfferedSize) => client.resizeService(id, bodyOf(to)),
    accepted: (_, to) => `Accepted: the service is resized to ${size(to)}.`,
    onAccepted: () => choose(null),
  });
  const offered = regions?.find(({ code }) => code === region_code)?.sizes;
  return (
    <Panel
      title="Size"
      description="The CPU and memory of the primary and of each replica. PostgreSQL's own settings follow."
    >
      <Stack gap="md">
        {error ? (
          <ErrorNotice error={error} title="The sizes cannot be shown" onRetry={() => void refetch()} />
        ) : (
          <SizeCards
            sizes={offered}
            now={keyOfSize(now)}
            value={keyOfSize(chosen ?? now)}
            onChange={(to) => {
              resize.reset();
              choose(keyOfSize(to) === keyOfSize(now) ? null : to);
            }}
          />
        )}
        {chosen && (
          <ChangeReview
            serviceId={id}
            change={{ operation: "resize", body: bodyOf(chosen) }}
            action={`Resize to ${size(chosen)}`}
            failed="The service was not resized"
            sent={resize}
            onApply={() => resize.mutate(chosen)}
            onDiscard={() => choose(null)}
          />
        )}
      </Stack>
    </Panel>
  );
}

function bodyOf({ cpu_millis, memory_gbs }: OfferedSize) {
  return { cpu_millis: String(cpu_millis), memory_gbs: String(memory_gbs) };
}
