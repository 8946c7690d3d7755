/** From what was seen of a service, and of the sets that read from it, to the nodes that people look at. Pure. */
import { metricPlace } from "../contract/metrics.ts";
import type { Node, ReadNodes, ServiceNodes } from "../contract/nodes.ts";
import { forecast } from "../planner/forecast.ts";
import { GIB } from "../planner/limits.ts";
import type { ObservedMember, ObservedService } from "../planner/observed.ts";
import { streams } from "../planner/situation.ts";
import type { NewestSample } from "../store/metric-series.ts";
import type { PlannedService } from "../store/plans.ts";
import { nodeName } from "./node-name.ts";
import { readObservation } from "./observation.ts";

export type Sample = NewestSample & { readonly at: Date };

const LAG_BYTES = metricPlace("replication_lag_bytes");
const LAG_SECONDS = metricPlace("replication_lag_seconds");

/** @param samples the newest of their nodes; only what is fresh */
export function presentNodes(
  service: PlannedService,
  sets: readonly PlannedService[],
  samples: readonly Sample[],
): ServiceNodes {
  const { replicaCount, syncReplicaCount, readsFrom } = service;
  const replicas = { replica_count: replicaCount, sync_replica_count: syncReplicaCount };
  return {
    ...nodesOf(service, samples),
    read_replica_sets: sets.map((set) => presentSet(set, samples)),
    wanted: { nodes: 1 + replicaCount, ...(readsFrom === null ? replicas : {}) },
  };
}

function presentSet(set: PlannedService, samples: readonly Sample[]): ReadNodes {
  return {
    id: set.serviceId,
    name: set.name,
    ...nodesOf(set, samples),
    wanted: { nodes: 1 + set.replicaCount },
  };
}

function nodesOf(service: PlannedService, samples: readonly Sample[]) {
  const { observation } = service;
  const observed = observation && readObservation(observation.observed);
  if (!observation || !observed) return { nodes: [], pooler: { enabled: service.pooler } };
  const own = samples.filter(({ serviceId }) => serviceId === service.serviceId);
  const there = observed.members.map((member) =>
    presentMember(
      member,
      observation.at,
      own.find(({ node }) => node === member.ordinal),
    ),
  );
  const nodes = [...there, ...stillToBeMade(service, observed)].toSorted((a, b) => a.ordinal - b.ordinal);
  const { gateway, pooler } = observed;
  return {
    as_of: observation.at.toISOString(),
    nodes,
    gateway: { state: gateway.state, serving: gateway.serving },
    pooler: { enabled: service.pooler, answers: pooler.serving },
  };
}

function presentMember(member: ObservedMember, seenAt: Date, sample: Sample | undefined): Node {
  const { ordinal, limits, postgres } = member;
  return {
    name: nodeName(ordinal),
    ordinal,
    state: stateOf(member),
    role: postgres?.role ?? null,
    synchronous: postgres?.replication?.synchronous ?? false,
    streaming: streams(member),
    ...(postgres?.role === "replica" ? lagOf(postgres.replication?.lagBytes ?? null, seenAt, sample) : {}),
    ...(limits
      ? {
          ...(limits.cpuMillis === null ? {} : { cpu_millis: limits.cpuMillis }),
          memory_gbs: Math.round((limits.memoryBytes / GIB) * 100) / 100,
        }
      : {}),
  };
}

function stateOf({ container, hasDatabase, postgres }: ObservedMember): Node["state"] {
  switch (container) {
    case "absent":
    case "stopped":
      return "stopped";
    case "running":
      if (postgres) return "running";
      return hasDatabase === false ? "starting" : "silent";
    case "frozen":
    case "cut off":
      return container;
  }
}

/** The younger of what a pass and the sampler have seen. */
function lagOf(seenBytes: number | null, seenAt: Date, sample: Sample | undefined) {
  const [bytes, seconds] = [sample?.values[LAG_BYTES] ?? null, sample?.values[LAG_SECONDS] ?? null];
  const sampled = sample && sample.at > seenAt ? (bytes ?? seenBytes) : (seenBytes ?? bytes);
  return {
    ...(sampled === null ? {} : { lag_bytes: Math.round(sampled) }),
    ...(seconds === null ? {} : { lag_seconds: seconds }),
  };
}

/** What the plan makes and nobody has seen yet. */
function stillToBeMade(service: PlannedService, observed: ObservedService): readonly Node[] {
  const known = new Set(observed.members.map(({ ordinal }) => ordinal));
  return forecast(service, observed).stages.flatMap((stage): Node[] => {
    if (stage.kind !== "step" || stage.step.kind !== "createMember") return [];
    const { ordinal } = stage.step;
    if (known.has(ordinal)) return [];
    known.add(ordinal);
    const name = nodeName(ordinal);
    return [{ name, ordinal, state: "absent", role: null, synchronous: false, streaming: false }];
  });
}
