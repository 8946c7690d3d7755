/** The settings of a read replica set, on its own page; most of what holds for it is the service's. */
import { Anchor, Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ServiceRecord } from "../../../../../../src/client/index.ts";
import { useQueries } from "../../../../data/queries.ts";
import { ErrorNotice } from "../../../../ui/error-notice.tsx";
import { Panel } from "../../../../ui/panel.tsx";
import { SettingsNotice } from "../settings-notice.tsx";
import { SetCard } from "./set-card.tsx";

export function StandbySettings({ service }: { service: ServiceRecord }) {
  const serviceId = service.forked_from?.service_id ?? "";
  const queries = useQueries();
  const { data: sets, error, refetch } = useQuery(queries.replicaSets(serviceId));
  const { data: parent } = useQuery(queries.service(serviceId));
  const set = sets?.find(({ id }) => id === service.service_id);
  return (
    <>
      <SettingsNotice>
        <Text size="sm">
          This is a read replica set of{" "}
          <Anchor
            renderRoot={(props) => (
              <Link to="/services/$serviceId/settings" params={{ serviceId }} {...props} />
            )}
            size="sm"
            underline="always"
            style={{ overflowWrap: "anywhere" }}
          >
            {parent?.name ?? serviceId}
          </Anchor>
          . Password, parameters and who may connect are those of the service, and are changed there.
        </Text>
      </SettingsNotice>
      {error ? (
        <ErrorNotice error={error} title="The set cannot be shown" onRetry={() => void refetch()} />
      ) : set ? (
        <Panel title="Read replica set">
          <SetCard own serviceId={serviceId} regionCode={service.region_code} set={set} />
        </Panel>
      ) : (
        <Skeleton h={170} />
      )}
    </>
  );
}
