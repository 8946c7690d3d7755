/** What the service uses now, and how that went in the last hour. */
import { Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ServiceRecord } from "../../../../../src/client/index.ts";
import type { MetricName } from "../../../../../src/contract/metrics.ts";
import { useQueries } from "../../../data/queries.ts";
import { LAST_HOUR } from "../../../data/time-range.ts";
import { bytes, cpu, memory, memoryBytes } from "../../../ui/format.ts";
import { Sparkline } from "../../../ui/sparkline.tsx";
import { figureOf } from "./figures.ts";
import classes from "./key-figures.module.css";

const GB = 1024 ** 3;

export function KeyFigures({ service }: { service: ServiceRecord }) {
  const { service_id: id, resources } = service;
  const { cpu_millis, memory_gbs } = resources[0]?.spec ?? {};
  const most = useFigure(service, "max_connections");
  const free = useFigure(service, "disk_available_bytes");
  const tiles = [
    {
      title: "CPU",
      figure: useFigure(service, "cpu_millis"),
      told: (millis: number) => cpu(Math.round(millis / 10) * 10),
      limit: cpu_millis ?? null,
      of: cpu_millis === undefined ? "" : `of ${cpu(cpu_millis)}`,
    },
    {
      title: "Memory",
      figure: useFigure(service, "memory_bytes"),
      told: memoryBytes,
      limit: memory_gbs === undefined ? null : memory_gbs * GB,
      of: memory_gbs === undefined ? "" : `of ${memory(memory_gbs)}`,
    },
    {
      title: "Disk",
      figure: useFigure(service, "storage_bytes"),
      told: bytes,
      limit: null,
      of: typeof free?.now === "number" ? `${bytes(free.now)} free on its disk` : "",
    },
    {
      title: "Connections",
      figure: useFigure(service, "connections"),
      told: (count: number) => String(Math.round(count)),
      limit: most?.now ?? null,
      of: typeof most?.now === "number" ? `of ${most.now}` : "",
    },
  ];
  return (
    <section aria-label="Key figures of the last hour">
      <div className={classes["tiles"]}>
        {tiles.map(({ title, figure, told, limit, of }) => (
          <Link
            key={title}
            to="/services/$serviceId/metrics"
            params={{ serviceId: id }}
            className={classes["tile"]}
          >
            <Text size="sm" c="dimmed">
              {title}
            </Text>
            <div className={classes["value"]}>
              {figure === undefined ? (
                <Skeleton h={20} w={80} my={4} />
              ) : (
                <>
                  <span className={classes["now"]}>{figure.now === null ? "–" : told(figure.now)}</span>
                  <span className={classes["of"]}>{figure.now === null ? "not measured now" : of}</span>
                </>
              )}
            </div>
            <div className={classes["line"]}>
              {figure?.values.some((value) => value !== null) && (
                <Sparkline
                  values={figure.values}
                  label={`${title} in the last hour`}
                  {...(limit === null ? {} : { ceiling: ceilingOf(figure.values, limit) })}
                />
              )}
            </div>
          </Link>
        ))}
      </div>
    </section>
  );
}

/** The limit stands at the top where anything comes near it; else the line would lie on the ground. */
function ceilingOf(values: readonly (number | null)[], limit: number): number {
  const most = Math.max(...values.map((value) => value ?? 0));
  return most > limit / 4 ? limit : Math.max(most * 2, limit / 20);
}

function useFigure(service: ServiceRecord, name: MetricName) {
  const { data } = useQuery(useQueries().series(service.service_id, name, LAST_HOUR));
  const readers = service.forked_from?.is_standby === true;
  return data && figureOf(data.series, readers ? "replica" : "primary");
}
