/** The read replica sets of a service: listed, made, changed, deleted. */
import { Skeleton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { BookOpen, Plus } from "lucide-react";
import type { ServiceRecord } from "../../../../../../src/client/index.ts";
import { MAX_READ_SETS } from "../../../../../../src/contract/read-replica-sets.ts";
import { useQueries } from "../../../../data/queries.ts";
import { Empty } from "../../../../ui/empty.tsx";
import { ErrorNotice } from "../../../../ui/error-notice.tsx";
import { Panel } from "../../../../ui/panel.tsx";
import { WriteButton } from "../../../../ui/write-button.tsx";
import { CreateSetDialog } from "./create-set-dialog.tsx";
import { SetCard } from "./set-card.tsx";

export function ReadReplicaSetsSection({ service }: { service: ServiceRecord }) {
  const { service_id: id } = service;
  const { data: sets, error, refetch } = useQuery(useQueries().replicaSets(id));
  const [creating, create] = useDisclosure();
  const add = (
    <WriteButton
      leftSection={<Plus size={15} aria-hidden />}
      onClick={create.open}
      unavailable={
        (sets?.length ?? 0) >= MAX_READ_SETS
          ? `A service has at most ${MAX_READ_SETS} read replica sets.`
          : null
      }
    >
      Add a set
    </WriteButton>
  );
  return (
    <>
      <Panel
        title="Read replica sets"
        description="Nodes that follow the primary and are only read, behind an endpoint of their own, of their own size. They never take over, and no commit waits for them."
        actions={sets && sets.length > 0 ? add : undefined}
      >
        {error ? (
          <ErrorNotice error={error} title="The sets cannot be shown" onRetry={() => void refetch()} />
        ) : !sets ? (
          <Skeleton h={150} />
        ) : sets.length === 0 ? (
          <Empty icon={<BookOpen size={28} />} title="No read replica set yet" action={add}>
            Send reports and dashboards to one, so that they are not in the way of the primary.
          </Empty>
        ) : (
          sets.map((set) => (
            <SetCard key={set.id} serviceId={id} regionCode={service.region_code} set={set} />
          ))
        )}
      </Panel>
      <CreateSetDialog service={service} opened={creating} onClose={create.close} />
    </>
  );
}
