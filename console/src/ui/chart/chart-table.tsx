/** The numbers of a chart, newest first. */
import { ScrollArea, Table } from "@mantine/core";
import { exactly } from "../moment.tsx";
import classes from "./chart.module.css";
import { CHART_HEIGHT } from "./chart.tsx";
import type { ChartData } from "./chart-data.ts";

export interface ChartTableProps {
  readonly title: string;
  readonly data: ChartData;
  readonly format: (value: number) => string;
}

export function ChartTable({ title, data, format }: ChartTableProps) {
  const rows = data.times
    .map((time, index) => ({ time, index }))
    .filter(({ index }) => data.lines.some(({ values }) => values[index] !== null))
    .toReversed();
  return (
    <ScrollArea
      h={CHART_HEIGHT}
      viewportProps={{ tabIndex: 0, role: "region", "aria-label": `${title} as a table` }}
    >
      <Table stickyHeader fz="xs" verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Time</Table.Th>
            {data.lines.map(({ node, role }) => (
              <Table.Th key={node} scope="col" ta="right">
                {node}
                {role !== null && ` (${role})`}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ time, index }) => (
            <Table.Tr key={time}>
              <Table.Td className={classes["time"]}>{exactly(new Date(time * 1_000).toISOString())}</Table.Td>
              {data.lines.map(({ node, values }) => {
                const value = values[index] ?? null;
                return (
                  <Table.Td key={node} ta="right">
                    {value === null ? "–" : format(value)}
                  </Table.Td>
                );
              })}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  );
}
