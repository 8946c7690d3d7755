/** Which services are shown, and in which order. Pure. */
import type { ServiceRecord } from "../../../../src/client/index.ts";
import { replicas, serviceType } from "../../ui/format.ts";
import { statusWord } from "../../ui/status-badge.tsx";
import { FACETS, type Facet, type ServiceSearch, type Sort } from "./service-search.ts";

export function shownServices(
  services: readonly ServiceRecord[],
  search: ServiceSearch,
): readonly ServiceRecord[] {
  const words = (search.q ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const shown = services.filter(
    (service) =>
      FACETS.every((facet) => search[facet]?.includes(facetOf(service, facet)) ?? true) &&
      (words.length === 0 || matches(service, words)),
  );
  return shown.toSorted(ORDERS[search.sort ?? "newest"]);
}

export interface FacetValue {
  readonly value: string;
  readonly label: string;
  readonly count: number;
}

/** What there is to choose, with how many services have it; also what is chosen and nobody has any more. */
export function facetValues(
  services: readonly ServiceRecord[],
  facet: Facet,
  chosen: readonly string[] = [],
): readonly FacetValue[] {
  const counts = new Map(chosen.map((value) => [value, 0]));
  for (const service of services) {
    const value = facetOf(service, facet);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts]
    .map(([value, count]) => ({ value, label: LABELS[facet](value), count }))
    .toSorted((a, b) => a.label.localeCompare(b.label));
}

const LABELS: Readonly<Record<Facet, (value: string) => string>> = {
  status: statusWord,
  type: serviceType,
  environment: (value) => value,
  region: (value) => value,
};

function facetOf(service: ServiceRecord, facet: Facet): string {
  switch (facet) {
    case "status":
      return service.status;
    case "type":
      return service.service_type;
    case "environment":
      return service.metadata?.environment ?? "";
    case "region":
      return service.region_code;
  }
}

/** Every word is somewhere in what is shown of the service. */
function matches(service: ServiceRecord, words: readonly string[]): boolean {
  const { name, service_id: id, endpoint, status, service_type: type, region_code: region } = service;
  const text = [
    name,
    id,
    `${endpoint?.host ?? ""}:${endpoint?.port ?? ""}`,
    statusWord(status),
    serviceType(type),
    region,
    service.metadata?.environment ?? "",
  ]
    .join("\n")
    .toLowerCase();
  return words.every((word) => text.includes(word));
}

export function sizeOf({ resources }: ServiceRecord) {
  const { cpu_millis, memory_gbs } = resources[0]?.spec ?? {};
  return { cpu_millis, memory_gbs };
}

export function replicasOf({ ha_replicas: ha }: ServiceRecord): string {
  return replicas(ha?.replica_count ?? 0, ha?.sync_replica_count ?? 0);
}

type Order = (a: ServiceRecord, b: ServiceRecord) => number;

const byName: Order = (a, b) =>
  a.name.localeCompare(b.name, undefined, { numeric: true }) || a.service_id.localeCompare(b.service_id);

/** What needs looking at comes first. */
const URGENCY = ["UNSTABLE", "DELETING", "QUEUED", "CONFIGURING", "UPGRADING", "RESUMING", "PAUSING"];

function urgency({ status }: ServiceRecord): number {
  const place = URGENCY.indexOf(status);
  return place === -1 ? URGENCY.length + (status === "READY" ? 0 : 1) : place;
}

const ORDERS: Readonly<Record<Sort, Order>> = {
  newest: (a, b) => b.created.localeCompare(a.created) || byName(a, b),
  name: byName,
  status: (a, b) => urgency(a) - urgency(b) || byName(a, b),
  size: (a, b) =>
    (sizeOf(b).memory_gbs ?? 0) - (sizeOf(a).memory_gbs ?? 0) ||
    (sizeOf(b).cpu_millis ?? 0) - (sizeOf(a).cpu_millis ?? 0) ||
    byName(a, b),
  cpu: (a, b) => (b.metrics?.milli_cpu ?? -1) - (a.metrics?.milli_cpu ?? -1) || byName(a, b),
};
