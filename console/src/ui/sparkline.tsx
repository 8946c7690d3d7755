/** How a number went, as small as a word. */
import { memo } from "react";
import classes from "./sparkline.module.css";
import { HEIGHT, linesOf, WIDTH } from "./sparkline-path.ts";

export interface SparklineProps {
  readonly values: readonly (number | null)[];
  /** At the top; left out: the highest value. */
  readonly ceiling?: number;
  /** The same in words. */
  readonly label: string;
}

export const Sparkline = memo(function Sparkline({ values, ceiling, label }: SparklineProps) {
  const top = ceiling ?? Math.max(0, ...values.map((value) => value ?? 0));
  const { stroke, area } = linesOf(values, top);
  return (
    <svg
      className={classes["line"]}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path className={classes["area"]} d={area} />
      <path className={classes["stroke"]} d={stroke} />
    </svg>
  );
});
