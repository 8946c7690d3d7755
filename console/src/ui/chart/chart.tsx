/** A number of every node over time. What a canvas cannot tell stands in a table beside it. */
import "uplot/dist/uPlot.min.css";
import { useComputedColorScheme } from "@mantine/core";
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import uPlot from "uplot";
import classes from "./chart.module.css";
import { type ChartData, highestOf } from "./chart-data.ts";
import { type ChartState, chartOptions } from "./chart-options.ts";
import { chartTheme } from "./chart-theme.ts";
import { ChartTip } from "./chart-tip.tsx";

/** Something that happened. */
export interface Mark {
  /** Seconds of the epoch. */
  readonly at: number;
  readonly words: string;
}

export interface ChartProps {
  readonly data: ChartData;
  /** RFC 3339. */
  readonly from: string;
  readonly to: string;
  readonly format: (value: number) => string;
  readonly steps?: readonly number[] | undefined;
  /** In the unit of the values; drawn where the values come near it. */
  readonly limit: number | null;
  readonly marks: readonly Mark[];
  /** What is shown, for those who cannot see it. */
  readonly label: string;
  readonly onZoom: (from: string, to: string) => void;
}

interface Pointed {
  readonly index: number;
  readonly left: number;
}

export const CHART_HEIGHT = 190;

export function Chart(props: ChartProps) {
  const { data, label } = props;
  const place = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<Pointed | null>(null);
  useChart(place, props, setPointed);
  return (
    <div className={classes["chart"]} role="img" aria-label={label}>
      <div ref={place} style={{ height: CHART_HEIGHT }} />
      {pointed && pointed.index < data.times.length && <ChartTip {...props} {...pointed} />}
    </div>
  );
}

function useChart(
  place: RefObject<HTMLDivElement | null>,
  { data, from, to, format, steps, limit, marks, onZoom }: ChartProps,
  point: (pointed: Pointed | null) => void,
): void {
  const scheme = useComputedColorScheme("light");
  const chart = useRef<uPlot>(null);
  const state = useRef<ChartState>(null);
  state.current = {
    from: Date.parse(from) / 1_000,
    to: Date.parse(to) / 1_000,
    highest: highestOf(data),
    limit,
    marks,
    format,
  };
  const zoom = useEffectEvent(onZoom);
  // Another set of lines is another chart; new values of the same are not.
  const shape = data.lines.map(({ node, role }) => `${node} ${role}`).join();
  const make = useEffectEvent((element: HTMLElement) => {
    let hovered = false;
    const made = new uPlot(
      chartOptions({
        theme: chartTheme(element),
        width: element.clientWidth,
        height: CHART_HEIGHT,
        lines: data.lines,
        steps,
        state: () => state.current ?? NOTHING,
        // The pointer's moment is told to all charts; only one of them stands under it.
        onCursor: (index, left) => point(hovered && index !== null && left >= 0 ? { index, left } : null),
        onSelect: (begin, end) => zoom(iso(begin), iso(end)),
      }),
      aligned(data),
      element,
    );
    made.over.addEventListener("pointerenter", () => {
      hovered = true;
    });
    made.over.addEventListener("pointerleave", () => {
      hovered = false;
      point(null);
    });
    return made;
  });
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const made = make(element);
    chart.current = made;
    const observer = new ResizeObserver(() =>
      made.setSize({ width: element.clientWidth, height: CHART_HEIGHT }),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      chart.current = null;
    };
  }, [place, scheme, shape]);
  useEffect(() => {
    // A change of the bounds, the limit or the marks is seen with the values.
    chart.current?.setData(aligned(data));
  }, [data, from, to, limit, marks]);
}

const NOTHING: ChartState = { from: 0, to: 1, highest: null, limit: null, marks: [], format: String };

function aligned({ times, lines }: ChartData): uPlot.AlignedData {
  return [[...times], ...lines.map(({ values }) => [...values])];
}

function iso(seconds: number): string {
  return new Date(Math.round(seconds) * 1_000).toISOString();
}
