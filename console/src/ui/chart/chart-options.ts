/** How uPlot draws a chart: axes, lines, limit and marks. */
import type uPlot from "uplot";
import { lonely, placeOf, topOf } from "./chart-data.ts";
import type { ChartTheme } from "./chart-theme.ts";
import { timeLabels } from "./time-labels.ts";

/** What may change while a chart stands. */
export interface ChartState {
  /** Seconds of the epoch. */
  readonly from: number;
  readonly to: number;
  readonly highest: number | null;
  readonly limit: number | null;
  readonly marks: readonly { readonly at: number }[];
  readonly format: (value: number) => string;
}

export interface OptionsInput {
  readonly theme: ChartTheme;
  readonly width: number;
  readonly height: number;
  readonly lines: readonly { readonly node: string; readonly role: string | null }[];
  /** Steps of the axis that are round in the unit; left out: round decimal numbers. */
  readonly steps?: readonly number[] | undefined;
  readonly state: () => ChartState;
  readonly onCursor: (index: number | null, left: number) => void;
  /** Seconds of the epoch. */
  readonly onSelect: (from: number, to: number) => void;
}

/** As wide on all charts: what is at the same time stands below one another. */
const VALUE_AXIS_PX = 76;
const TIME_AXIS_PX = 28;
const LEAST_SELECTION_PX = 8;
/** No point stands for less. */
const LEAST_SELECTION_S = 60;
/** The opacity of the area below a line, in hexadecimal. */
const AREA = "14";

export function chartOptions(input: OptionsInput): uPlot.Options {
  const { theme, width, height, lines, steps, state, onCursor, onSelect } = input;
  const axis = { stroke: theme.text, font: theme.font, ticks: { show: false }, gap: 6 };
  const grid = { stroke: theme.grid, width: 1 };
  return {
    width,
    height,
    padding: [8, 12, 0, 0],
    legend: { show: false },
    scales: {
      x: { time: true, range: () => [state().from, state().to] },
      y: { range: () => [0, topOf(state().highest, state().limit)] },
    },
    axes: [
      {
        ...axis,
        size: TIME_AXIS_PX,
        grid: { show: false },
        space: 64,
        values: (_, splits, __, ___, step) => timeLabels(splits, step),
      },
      {
        ...axis,
        size: VALUE_AXIS_PX,
        grid,
        space: 34,
        ...(steps ? { incrs: [...steps] } : {}),
        values: (_, splits) => splits.map((value) => state().format(value)),
      },
    ],
    series: [{}, ...lines.map((line) => lineOptions(line, theme))],
    cursor: {
      y: false,
      sync: { key: "howdah" },
      drag: { x: true, y: false, setScale: false },
      points: { size: 7, width: 0 },
      focus: { prox: -1 },
    },
    hooks: {
      drawClear: [(chart) => drawMarks(chart, theme, state())],
      draw: [(chart) => drawLimit(chart, theme, state())],
      setCursor: [({ cursor }) => onCursor(cursor.idx ?? null, cursor.left ?? -1)],
      setSelect: [
        (chart) => {
          const { left, width: selected } = chart.select;
          const [begin, end] = [chart.posToVal(left, "x"), chart.posToVal(left + selected, "x")];
          if (selected >= LEAST_SELECTION_PX) onSelect(begin, Math.max(end, begin + LEAST_SELECTION_S));
          if (selected > 0) chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        },
      ],
    },
  };
}

function lineOptions({ node, role }: OptionsInput["lines"][number], theme: ChartTheme): uPlot.Series {
  const colour = theme.series(placeOf(node));
  const leads = role === "primary";
  return {
    label: node,
    stroke: colour,
    width: leads ? 2 : 1.25,
    ...(leads ? { fill: `${colour}${AREA}` } : {}),
    points: {
      show: false,
      size: 5,
      fill: colour,
      filter: (chart, index) => lonely([...(chart.data[index] ?? [])]),
    },
  };
}

function drawLimit(chart: uPlot, theme: ChartTheme, { limit }: ChartState): void {
  if (limit === null || limit > (chart.scales["y"]?.max ?? 0)) return;
  const { ctx, bbox } = chart;
  const y = Math.round(chart.valToPos(limit, "y", true));
  straight(ctx, theme.warn, [6, 4], [bbox.left, y, bbox.left + bbox.width, y]);
}

function drawMarks(chart: uPlot, theme: ChartTheme, { marks }: ChartState): void {
  const { ctx, bbox } = chart;
  for (const { at } of marks) {
    const x = Math.round(chart.valToPos(at, "x", true));
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    straight(ctx, theme.cursor, [2, 3], [x, bbox.top, x, bbox.top + bbox.height]);
  }
}

function straight(
  ctx: CanvasRenderingContext2D,
  colour: string,
  dash: readonly number[],
  [fromX, fromY, toX, toY]: readonly [number, number, number, number],
): void {
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.lineWidth = window.devicePixelRatio;
  ctx.setLineDash(dash.map((length) => length * window.devicePixelRatio));
  ctx.beginPath();
  ctx.moveTo(fromX, fromY);
  ctx.lineTo(toX, toY);
  ctx.stroke();
  ctx.restore();
}
