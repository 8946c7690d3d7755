/** Service records as people read them. Pure. */
import type { ServiceRecord } from "../../client/index.ts";
import { cleanDetail, paint } from "../../lib/progress-line.ts";
import { renderColumns } from "../columns.ts";
import type { Place } from "../passwords/pgpass.ts";

export const DATABASE = "tsdb";
export const ADMIN_ROLE = "tsdbadmin";

const GREEN = "32";
const YELLOW = "33";
const RED = "31";
const GREY = "90";

/** Of the statuses that are worth a colour of their own; all others are on the way somewhere. */
const STATUS_COLORS: Readonly<Record<string, string>> = {
  READY: GREEN,
  PAUSED: GREY,
  UNSTABLE: RED,
  DELETING: RED,
  DELETED: RED,
};

export function renderServices(services: readonly ServiceRecord[], color: boolean): string {
  if (services.length === 0) return "There are no services yet; howdah service create <name> makes one.";
  return renderColumns(
    ["name", "id", "status", "size", "replicas", "type", "environment", "endpoint"],
    services.map((service) => [
      service.name,
      service.service_id,
      service.status,
      sizeOf(service),
      replicasOf(service),
      service.service_type,
      service.metadata?.environment ?? "",
      placeText(endpointOf(service)),
    ]),
    (padded, column, text) => (column === 2 ? paintStatus(padded, text, color) : padded),
  );
}

export function renderService(service: ServiceRecord, color: boolean): string {
  const pooler = poolerOf(service);
  const place = endpointOf(service);
  const inVpc = placeOf(service.vpc_endpoint);
  const parent = service.forked_from?.service_id;
  const rows: readonly (readonly [string, string])[] = [
    ["Name", cleanDetail(service.name)],
    ["Id", service.service_id],
    ["Status", paintStatus(service.status, service.status, color)],
    ["Type", service.service_type],
    ["Size", sizeOf(service)],
    ["Replicas", replicasOf(service)],
    ["Region", service.region_code],
    ["Environment", service.metadata?.environment ?? ""],
    ["Created", service.created],
    ...(parent === undefined
      ? []
      : [[service.forked_from?.is_standby === true ? "Reads from" : "Forked from", parent] as const]),
    ...(service.read_replica_sets ?? []).map(
      ({ name, nodes, status }) =>
        ["Read set", `${cleanDetail(name)}, ${nodes} ${nodes === 1 ? "node" : "nodes"}, ${status}`] as const,
    ),
    ...(place ? [["Connection", connectionString(place)] as const] : []),
    ...(pooler ? [["Pooler", connectionString(pooler)] as const] : []),
    ...(inVpc ? [[`In VPC ${service.vpc_endpoint?.vpc_id ?? ""}`, connectionString(inVpc)] as const] : []),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`.trimEnd()).join("\n");
}

/** TLS is always there; clients that do not ask for it are refused. */
export function connectionString(place: Place, password?: string): string {
  const host = place.host.includes(":") ? `[${place.host}]` : place.host;
  const credentials = password === undefined ? ADMIN_ROLE : `${ADMIN_ROLE}:${encodeURIComponent(password)}`;
  return `postgresql://${credentials}@${host}:${place.port}/${DATABASE}?sslmode=require`;
}

export function endpointOf({ endpoint }: ServiceRecord): Place | null {
  return placeOf(endpoint);
}

export function poolerOf({ connection_pooler }: ServiceRecord): Place | null {
  return placeOf(connection_pooler?.endpoint);
}

/** Wherever the service listens now. */
export function placesOf(service: ServiceRecord): readonly Place[] {
  return [endpointOf(service), poolerOf(service)].filter((place) => place !== null);
}

function placeOf(endpoint: ServiceRecord["endpoint"]): Place | null {
  return endpoint?.host && endpoint.port ? { host: endpoint.host, port: endpoint.port } : null;
}

function placeText(place: Place | null): string {
  if (!place) return "";
  return `${place.host.includes(":") ? `[${place.host}]` : place.host}:${place.port}`;
}

function sizeOf({ resources }: ServiceRecord): string {
  const spec = resources[0]?.spec;
  return spec?.cpu_millis === undefined || spec.memory_gbs === undefined
    ? "shared"
    : `${spec.cpu_millis / 1_000} CPU, ${spec.memory_gbs} GB`;
}

function replicasOf({ ha_replicas }: ServiceRecord): string {
  const count = ha_replicas?.replica_count ?? 0;
  const synchronous = ha_replicas?.sync_replica_count ?? 0;
  return synchronous === 0 ? String(count) : `${count} (${synchronous} synchronous)`;
}

export function paintStatus(text: string, status: string, color: boolean): string {
  return paint(text, STATUS_COLORS[status.trim()] ?? YELLOW, color);
}
