/** How the service went, as charts over a chosen time. */
import { Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useQueries } from "../../../data/queries.ts";
import { GROUPS } from "./charts.ts";
import { MetricChart } from "./metric-chart.tsx";
import classes from "./metrics.module.css";
import { NodeFilter } from "./node-filter.tsx";
import { RangeControl } from "./range-control.tsx";
import { type MetricsSearch, rangeOf } from "./search.ts";
import { useLimits } from "./use-limits.ts";
import { useMarks } from "./use-marks.ts";

const ROUTE = "/signed-in/services/$serviceId/metrics";

export function MetricsTab() {
  const { serviceId } = useParams({ from: ROUTE });
  const search = useSearch({ from: ROUTE });
  const navigate = useNavigate();
  const queries = useQueries();
  const { data: nodes } = useQuery(queries.nodes(serviceId));
  const range = rangeOf(search);
  const limits = useLimits(serviceId, range);
  const marks = useMarks(serviceId);
  const look = (next: MetricsSearch) =>
    void navigate({ to: "/services/$serviceId/metrics", params: { serviceId }, search: next });
  const zoom = (from: string, to: string) => {
    const { node } = search;
    look({ from, to, ...(node === undefined ? {} : { node }) });
  };
  return (
    <Stack gap="lg">
      <div className={classes["controls"]}>
        <RangeControl search={search} onChange={look} />
        <NodeFilter nodes={nodes?.nodes} search={search} onChange={look} />
      </div>
      {GROUPS.map(({ title, charts }) => (
        <section key={title} aria-label={title}>
          <Title order={2} mb="sm">
            {title}
          </Title>
          <div className={classes["charts"]}>
            {charts.map((kind) => (
              <MetricChart
                key={kind.metric}
                serviceId={serviceId}
                kind={kind}
                range={range}
                node={search.node}
                limit={kind.limit === undefined ? null : limits[kind.limit]}
                marks={marks}
                onZoom={zoom}
              />
            ))}
          </div>
        </section>
      ))}
      <Text size="xs" c="dimmed">
        Samples are taken every 15 seconds while a node runs. Drag over a chart to look at a shorter time.
        Dotted lines mark changes of the lead and what was asked for.
      </Text>
    </Stack>
  );
}
