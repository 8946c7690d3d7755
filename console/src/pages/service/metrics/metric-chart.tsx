/** One metric of all nodes, as a chart or as a table. */
import { ActionIcon, Skeleton, Text, Title, Tooltip } from "@mantine/core";
import { useInViewport } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ChartLine as ChartIcon, Table as TableIcon } from "lucide-react";
import { useMemo, useState } from "react";
import { useQueries } from "../../../data/queries.ts";
import type { TimeRange } from "../../../data/time-range.ts";
import { CHART_HEIGHT, Chart, type Mark } from "../../../ui/chart/chart.tsx";
import { type ChartData, chartData, highestOf } from "../../../ui/chart/chart-data.ts";
import { ChartTable } from "../../../ui/chart/chart-table.tsx";
import { ErrorNotice } from "../../../ui/error-notice.tsx";
import type { ChartKind } from "./charts.ts";
import classes from "./metrics.module.css";

export interface MetricChartProps {
  readonly serviceId: string;
  readonly kind: ChartKind;
  readonly range: TimeRange;
  /** Left out: all. */
  readonly node: string | undefined;
  /** In the unit of the metric; null: none. */
  readonly limit: number | null;
  readonly marks: readonly Mark[];
  readonly onZoom: (from: string, to: string) => void;
}

export function MetricChart({ serviceId, kind, range, node, limit, marks, onZoom }: MetricChartProps) {
  const { metric, title, note, format, steps } = kind;
  const [asTable, setAsTable] = useState(false);
  const { ref, inViewport } = useInViewport<HTMLDivElement>();
  const {
    data: answer,
    error,
    refetch,
  } = useQuery({
    ...useQueries().series(serviceId, metric, range),
    // What nobody sees is not asked for.
    enabled: inViewport,
    placeholderData: keepPreviousData,
  });
  const data = useMemo(() => answer && chartData(answer.series, node), [answer, node]);
  const highest = data ? highestOf(data) : null;
  const Icon = asTable ? ChartIcon : TableIcon;
  return (
    <div className={classes["chart"]} ref={ref}>
      <div className={classes["head"]}>
        <div className={classes["titles"]}>
          <Title order={3}>{title}</Title>
          <Text size="xs" c="dimmed" truncate title={subtitle(note, limit, kind)}>
            {subtitle(note, limit, kind)}
          </Text>
        </div>
        <Tooltip label={asTable ? "Show as a chart" : "Show as a table"}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Show ${title} as a ${asTable ? "chart" : "table"}`}
            onClick={() => setAsTable(!asTable)}
          >
            <Icon size={15} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </div>
      <div className={classes["body"]} style={{ minHeight: CHART_HEIGHT }}>
        {error && !answer ? (
          <ErrorNotice error={error} onRetry={() => void refetch()} />
        ) : !answer || !data ? (
          <Skeleton h={CHART_HEIGHT - 10} />
        ) : highest === null ? (
          <div className={classes["nothing"]} style={{ height: CHART_HEIGHT }}>
            <Text size="sm" c="dimmed">
              Nothing was measured in this time.
            </Text>
          </div>
        ) : asTable ? (
          <ChartTable title={title} data={data} format={format} />
        ) : (
          <Chart
            data={data}
            from={answer.from}
            to={answer.to}
            format={format}
            steps={steps}
            limit={limit}
            marks={marks}
            label={labelOf(title, data, format)}
            onZoom={onZoom}
          />
        )}
      </div>
    </div>
  );
}

function subtitle(
  note: string | undefined,
  limit: number | null,
  { limit: kind, format }: ChartKind,
): string {
  if (limit !== null && kind !== "whole") return `At most ${format(limit)}`;
  return note ?? "";
}

/** "CPU: member-0, primary, now 0.2 CPU; …" */
function labelOf(title: string, { lines }: ChartData, format: (value: number) => string): string {
  const words = lines.map(({ node, role, values }) => {
    const now = values.findLast((value) => value !== null) ?? null;
    return `${node}${role === null ? "" : `, ${role}`}, ${now === null ? "not measured" : `last ${format(now)}`}`;
  });
  return `${title}: ${words.join("; ")}`;
}
