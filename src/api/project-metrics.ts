/** The services of a project for Prometheus, in its text format. Pure. */
import { exportedMetric, METRICS } from "../contract/metrics.ts";
import type { NewestSample } from "../store/metric-series.ts";
import type { Service } from "../store/service-row.ts";
import { nodeName } from "./node-name.ts";

const GIB = 1024 ** 3;

type Labels = Readonly<Record<string, string>>;

interface Family {
  readonly name: string;
  readonly help: string;
  readonly values: readonly (readonly [Labels, number])[];
}

export function renderProjectMetrics(services: readonly Service[], samples: readonly NewestSample[]): string {
  return familiesOf(services, samples)
    .flatMap(({ name, help, values }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} gauge`,
      ...values.map(([labels, value]) => `${name}{${renderLabels(labels)}} ${value}`),
    ])
    .join("\n")
    .concat("\n");
}

/** All that there can be, whether there are services or not. */
export function exportedNames(): readonly string[] {
  return familiesOf([], []).map(({ name }) => name);
}

function familiesOf(services: readonly Service[], samples: readonly NewestSample[]): readonly Family[] {
  return [...ofServices(services), ...ofNodes(services, samples)];
}

function ofServices(services: readonly Service[]): readonly Family[] {
  const each = (values: (service: Service) => readonly (readonly [Labels, number])[]) =>
    services.flatMap((service) =>
      values(service).map(([labels, value]) => [{ ...labelsOf(service), ...labels }, value] as const),
    );
  return [
    {
      name: "howdah_service_status",
      help: "1 for the status that a service has.",
      values: each(({ status }) => [[{ status }, 1]]),
    },
    {
      name: "howdah_service_condition",
      help: "Whether a condition of a service is true; absent while nobody knows.",
      values: each(({ conditions }) =>
        conditions
          .filter(({ status }) => status !== "Unknown")
          .map(({ type, status }) => [{ condition: type }, status === "True" ? 1 : 0] as const),
      ),
    },
    {
      name: "howdah_service_replicas",
      help: "Replicas that were asked for.",
      values: each(({ replica_count }) => [[{}, replica_count]]),
    },
    {
      name: "howdah_service_cpu_limit_cores",
      help: "CPU that each node may use; absent for a shared size.",
      values: each(({ cpu_millis }) => (cpu_millis === null ? [] : [[{}, cpu_millis / 1000]])),
    },
    {
      name: "howdah_service_memory_limit_bytes",
      help: "Memory that each node may use; absent for a shared size.",
      values: each(({ memory_gbs }) => (memory_gbs === null ? [] : [[{}, memory_gbs * GIB]])),
    },
  ];
}

function ofNodes(services: readonly Service[], samples: readonly NewestSample[]): readonly Family[] {
  const byId = new Map(services.map((service) => [service.id, service]));
  return METRICS.map((metric, place) => {
    const { name, scale } = exportedMetric(metric);
    const values = samples.flatMap(({ serviceId, node, role, values: sampled }) => {
      const service = byId.get(serviceId);
      const value = sampled[place];
      if (!service || value === null || value === undefined) return [];
      return [[{ ...labelsOf(service), node: nodeName(node), role }, scaled(value, scale)] as const];
    });
    return { name: `howdah_node_${name}`, help: metric.help, values };
  });
}

/** Without the dust of binary fractions. */
function scaled(value: number, scale: number): number {
  return scale === 1 ? value : Number((value * scale).toPrecision(12));
}

function labelsOf({ id, project_id, name, region_code }: Service): Labels {
  return { project_id, service_id: id, service_name: name, region: region_code };
}

function renderLabels(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(",");
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
