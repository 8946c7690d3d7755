/** What the pages read, each under a key that live events find again. */
import { queryOptions, skipToken } from "@tanstack/react-query";
import type { Change, Client, EventQuery, ServiceRecord } from "../../../src/client/index.ts";
import type { MetricName } from "../../../src/contract/metrics.ts";
import { useAccount, useClient } from "../session/client.tsx";
import { now } from "../session/clock.ts";
import { boundsOf, refreshEvery, type TimeRange } from "./time-range.ts";

const NODES_EVERY_MS = 2_500;
const ROOM_EVERY_MS = 15_000;
const OPERATOR_EVERY_MS = 5_000;
const WEBHOOKS_EVERY_MS = 15_000;

/** Everything of one project begins with its id; everything of a service goes on with the service's. */
export const keys = {
  project: (projectId: string) => [projectId] as const,
  services: (projectId: string) => [projectId, "services"] as const,
  service: (projectId: string, serviceId: string) => [projectId, "service", serviceId] as const,
  events: (projectId: string) => [projectId, "events"] as const,
  vpcs: (projectId: string) => [projectId, "vpcs"] as const,
  /** Apart from the VPCs: when one of those is deleted, nobody asks for its peerings again. */
  peerings: (projectId: string) => [projectId, "peerings"] as const,
  webhooks: (projectId: string) => [projectId, "webhooks"] as const,
};

/** The queries of the project that is looked at. */
export function useQueries(): Queries {
  const client = useClient();
  const { projectId } = useAccount();
  return queriesOf(client, projectId);
}

export type Queries = ReturnType<typeof queriesOf>;

function queriesOf(client: Client, projectId: string) {
  const of = (serviceId: string, what: string, ...more: readonly unknown[]) => [
    ...keys.service(projectId, serviceId),
    what,
    ...more,
  ];
  return {
    services: queryOptions({
      queryKey: keys.services(projectId),
      queryFn: ({ signal }): Promise<readonly ServiceRecord[]> => client.listServices({ signal }),
    }),
    service: (id: string) =>
      queryOptions({
        queryKey: of(id, "record"),
        queryFn: ({ signal }) => client.getService(id, { signal }),
      }),
    /** Status, why it is so, conditions, and the newest events. */
    story: (id: string, query: EventQuery = {}) =>
      queryOptions({
        queryKey: of(id, "story", query),
        queryFn: ({ signal }) => client.getServiceEvents(id, query, { signal }),
      }),
    plan: (id: string) =>
      queryOptions({ queryKey: of(id, "plan"), queryFn: ({ signal }) => client.getPlan(id, { signal }) }),
    /** What a change would take; asked anew when something happens to the service. null: no change is thought of. */
    preview: (id: string, change: Change | null) =>
      queryOptions({
        queryKey: of(id, "preview", change),
        queryFn: change === null ? skipToken : ({ signal }) => client.dryRun(id, change, { signal }),
        staleTime: 0,
        gcTime: 0,
      }),
    parameters: (id: string) =>
      queryOptions({
        queryKey: of(id, "parameters"),
        queryFn: ({ signal }) => client.listParameters(id, { signal }),
      }),
    allowList: (id: string) =>
      queryOptions({
        queryKey: of(id, "allow-list"),
        queryFn: ({ signal }) => client.getAllowList(id, { signal }),
      }),
    deletionProtection: (id: string) =>
      queryOptions({
        queryKey: of(id, "deletion-protection"),
        queryFn: ({ signal }) => client.getDeletionProtection(id, { signal }),
      }),
    replicaSets: (id: string) =>
      queryOptions({
        queryKey: of(id, "replica-sets"),
        queryFn: ({ signal }) => client.listReadReplicaSets(id, { signal }),
      }),
    /** Who leads and who follows. No event tells how far behind. */
    nodes: (id: string) =>
      queryOptions({
        queryKey: of(id, "nodes"),
        queryFn: ({ signal }) => client.listNodes(id, { signal }),
        refetchInterval: NODES_EVERY_MS,
      }),
    /** A metric of all nodes. Not below the service's key: no event changes what was measured. */
    series: (id: string, name: MetricName, range: TimeRange) =>
      queryOptions({
        queryKey: [...keys.project(projectId), "series", id, name, range],
        queryFn: async ({ signal }) => {
          const bounds = boundsOf(range, now());
          return { ...bounds, series: await client.getMetricSeries(id, { name, ...bounds }, { signal }) };
        },
        refetchInterval: refreshEvery(range),
      }),
    /** The newest of some kinds. */
    eventsOf: (id: string, types: readonly string[]) =>
      queryOptions({
        queryKey: of(id, "events", types),
        queryFn: ({ signal }) => client.listEvents({ serviceId: id, types, limit: 200 }, { signal }),
      }),
    /** What fits where: other people create as well. */
    regions: queryOptions({
      queryKey: [...keys.project(projectId), "regions"],
      queryFn: ({ signal }) => client.listRegions({ signal }),
      refetchInterval: ROOM_EVERY_MS,
    }),
    /** For keys with the role operator. Jobs come and go without an event of this project. */
    operator: queryOptions({
      queryKey: [projectId, "operator"],
      queryFn: ({ signal }) => client.getOperatorOverview({ signal }),
      refetchInterval: OPERATOR_EVERY_MS,
    }),
    vpcs: queryOptions({
      queryKey: keys.vpcs(projectId),
      queryFn: ({ signal }) => client.listVpcs({ signal }),
    }),
    peerings: (vpcId: string) =>
      queryOptions({
        queryKey: [...keys.peerings(projectId), vpcId],
        queryFn: ({ signal }) => client.listPeerings(vpcId, { signal }),
      }),
    webhooks: queryOptions({
      queryKey: keys.webhooks(projectId),
      queryFn: ({ signal }) => client.listWebhooks({ signal }),
      // No event tells of a delivery.
      refetchInterval: WEBHOOKS_EVERY_MS,
    }),
  };
}
