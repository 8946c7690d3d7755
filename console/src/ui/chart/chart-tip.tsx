/** What the lines of a chart say at the moment under the pointer, and what happened then. */
import { Text } from "@mantine/core";
import { exactly } from "../moment.tsx";
import classes from "./chart.module.css";
import type { ChartProps } from "./chart.tsx";
import { placeOf } from "./chart-data.ts";
import { Swatch } from "./swatch.tsx";

/** Beside the pointer, inside the chart. */
const AXIS_PX = 76;
const HALF = 0.5;

export interface ChartTipProps extends ChartProps {
  readonly index: number;
  /** CSS pixels from the axis. */
  readonly left: number;
}

export function ChartTip({ data, format, marks, from, to, index, left }: ChartTipProps) {
  const { times, lines } = data;
  const time = times[index] ?? 0;
  const step = (times[1] ?? time) - (times[0] ?? time);
  const happened = marks.filter(({ at }) => at >= time && at < time + Math.max(step, 1));
  const part = (time - Date.parse(from) / 1_000) / ((Date.parse(to) - Date.parse(from)) / 1_000);
  const known = lines.filter(({ values }) => values[index] !== null);
  return (
    <div
      className={classes["tip"]}
      data-side={part > HALF ? "left" : "right"}
      style={{ transform: `translateX(${AXIS_PX + left}px)` }}
      aria-hidden
    >
      <div className={classes["card"]}>
        <Text size="xs" c="dimmed">
          {exactly(new Date(time * 1_000).toISOString())}
        </Text>
        {known.length === 0 && <Text size="xs">Nothing was measured</Text>}
        {known.map(({ node, values, roles }) => (
          <div key={node} className={classes["row"]}>
            <Swatch place={placeOf(node)} />
            <span>{node}</span>
            <span className={classes["role"]}>{roles[index]}</span>
            <span className={classes["value"]}>{format(values[index] ?? 0)}</span>
          </div>
        ))}
        {happened.map(({ at, words }) => (
          <Text key={`${at} ${words}`} size="xs" mt={4} className={classes["mark"]}>
            {words}
          </Text>
        ))}
      </div>
    </div>
  );
}
