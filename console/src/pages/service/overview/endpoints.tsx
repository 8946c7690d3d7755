/** Where the service is reached. */
import { Text } from "@mantine/core";
import type { ServiceRecord } from "../../../../../src/client/index.ts";
import { Copy } from "../../../ui/copy.tsx";
import { Panel } from "../../../ui/panel.tsx";
import classes from "./endpoints.module.css";

interface Way {
  readonly title: string;
  readonly note: string;
  readonly endpoint: ServiceRecord["endpoint"];
}

export function Endpoints({ service }: { service: ServiceRecord }) {
  const ways = waysTo(service);
  return (
    <Panel title="Endpoints">
      {ways.length === 0 && <Text c="dimmed">The service has no endpoint yet.</Text>}
      <ul className={classes["ways"]}>
        {ways.map(({ title, note, address }) => (
          <li key={title}>
            <div className={classes["words"]}>
              <Text size="sm" fw={550}>
                {title}
              </Text>
              <Text size="sm" ff="monospace" truncate title={address}>
                {address}
              </Text>
              <Text size="xs" c="dimmed">
                {note}
              </Text>
            </div>
            <Copy text={address} what={`the address: ${title.toLowerCase()}`} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function waysTo(service: ServiceRecord) {
  const readers = service.forked_from?.is_standby === true;
  const ways: readonly Way[] = [
    {
      title: readers ? "Read-only" : "Direct",
      note: readers
        ? "Leads to the nodes of this set."
        : "Leads to whoever is primary. Fixed for the life of the service.",
      endpoint: service.endpoint,
    },
    {
      title: "Pooled",
      note: "Through the pooler: database tsdb_transaction pools transactions, tsdb sessions.",
      endpoint: service.connection_pooler?.endpoint,
    },
    {
      title: "In the VPC",
      note: "From containers of the VPC that it is attached to.",
      endpoint: service.vpc_endpoint,
    },
    ...(service.read_replica_sets ?? []).map(({ name, endpoint }) => ({
      title: name,
      note: "A read replica set.",
      endpoint,
    })),
  ];
  return ways.flatMap(({ endpoint, ...words }) =>
    endpoint?.host === undefined || endpoint.port === undefined
      ? []
      : [{ ...words, address: `${endpoint.host}:${endpoint.port}` }],
  );
}
