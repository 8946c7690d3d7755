/** The whole installation, for whoever runs it. */
import { Code, Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useQueries } from "../../data/queries.ts";
import { useAccount } from "../../session/client.tsx";
import { Empty } from "../../ui/empty.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { Page } from "../../ui/page.tsx";
import { ControlPlane } from "./control-plane.tsx";
import { FailingWebhooks } from "./failing-webhooks.tsx";
import { Failures } from "./failures.tsx";
import { Jobs } from "./jobs.tsx";
import { Regions } from "./regions.tsx";
import { Summary } from "./summary.tsx";

export function OperatorPage() {
  const { role } = useAccount();
  return (
    <Page
      title="Operator"
      description="The whole installation, over all projects. Looked at every five seconds."
    >
      {role === "operator" ? <Overview /> : <NotForThisKey role={role} />}
    </Page>
  );
}

function Overview() {
  const { data, error, refetch } = useQuery(useQueries().operator);
  if (!data && error)
    return <ErrorNotice error={error} title="The overview cannot be shown" onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  return (
    <Stack gap="lg">
      {error && (
        <ErrorNotice error={error} title="What follows is not up to date" onRetry={() => void refetch()} />
      )}
      <Summary overview={data} />
      <Regions regions={data.regions} />
      <Jobs jobs={data.jobs} />
      {data.webhooks.length > 0 && <FailingWebhooks webhooks={data.webhooks} />}
      <Failures failures={data.failures.newest} />
      <ControlPlane controlPlane={data.control_plane} />
    </Stack>
  );
}

function Loading() {
  return (
    <Stack gap="lg" aria-busy aria-label="Loading the overview">
      <Skeleton h={92} radius="lg" />
      <Skeleton h={230} radius="lg" />
      <Skeleton h={200} radius="lg" />
    </Stack>
  );
}

function NotForThisKey({ role }: { role: string }) {
  return (
    <Empty icon={<KeyRound size={28} />} title="This page needs the operator's key">
      The key that is signed in has the role {role.replace("_", "-")}, which sees one project. Whoever runs
      Howdah makes one that sees all with <Code>howdah keys create --role operator</Code>.
    </Empty>
  );
}
