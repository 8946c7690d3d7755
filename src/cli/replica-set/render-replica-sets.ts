import type { ReadReplicaSetRecord } from "../../client/index.ts";
import { renderColumns } from "../columns.ts";

const HEADINGS = ["name", "id", "status", "nodes", "size", "endpoint", "pooler", "environment"];

export function renderReplicaSets(sets: readonly ReadReplicaSetRecord[]): string {
  if (sets.length === 0)
    return "There are no read replica sets; howdah replica-set create <service> <name> adds one.";
  const rows = sets.map((set) => [
    set.name,
    set.id,
    set.status,
    String(set.nodes),
    `${set.cpu_millis}/${set.memory_gbs}`,
    placeOf(set.endpoint),
    placeOf(set.connection_pooler?.endpoint),
    set.metadata?.environment ?? "",
  ]);
  return renderColumns(HEADINGS, rows);
}

function placeOf(endpoint: ReadReplicaSetRecord["endpoint"]): string {
  return endpoint?.host && endpoint.port ? `${endpoint.host}:${endpoint.port}` : "-";
}
