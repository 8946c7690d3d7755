/** Private networks from which services are reached. */
import { Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Network, Plus } from "lucide-react";
import { useState } from "react";
import { useQueries } from "../../data/queries.ts";
import { Empty } from "../../ui/empty.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Panel } from "../../ui/panel.tsx";
import { WriteButton } from "../../ui/write-button.tsx";
import { CreateVpcDialog } from "./create-vpc-dialog.tsx";
import { VpcPanel } from "./vpc-panel.tsx";

/** So many are shown with everything that belongs to them; of more, each is opened by hand. */
const MOST_OPEN = 4;

export function VpcsPage() {
  const queries = useQueries();
  const { data: vpcs, error, refetch } = useQuery(queries.vpcs);
  const { data: services = [] } = useQuery(queries.services);
  const [creating, setCreating] = useState(false);
  const create = (
    <WriteButton leftSection={<Plus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      Create a VPC
    </WriteButton>
  );
  return (
    <Page
      title="VPCs"
      width="narrow"
      description="Private networks for containers of your own, from which services are reached by a name that stays."
      actions={vpcs && vpcs.length > 0 ? create : null}
    >
      {error && !vpcs ? (
        <ErrorNotice error={error} title="The VPCs cannot be shown" onRetry={() => void refetch()} />
      ) : !vpcs ? (
        <Stack aria-hidden>
          <Skeleton h={260} radius="lg" />
        </Stack>
      ) : vpcs.length === 0 ? (
        <Panel>
          <Empty icon={<Network size={40} strokeWidth={1.4} />} title="No VPCs yet" action={create}>
            Containers in a VPC reach the services that are attached to it without leaving the machine. The
            services' own endpoints stay as they are.
          </Empty>
        </Panel>
      ) : (
        vpcs.map((vpc) => (
          <VpcPanel key={vpc.id} vpc={vpc} services={services} openAtFirst={vpcs.length <= MOST_OPEN} />
        ))
      )}
      <CreateVpcDialog vpcs={vpcs ?? []} opened={creating} onClose={() => setCreating(false)} />
    </Page>
  );
}
