/** The colour of a node's lines. Its name always stands beside it. */
import classes from "./chart.module.css";
import { seriesColour } from "./chart-theme.ts";

/** @param place the number in the node's name */
export function Swatch({ place }: { place: number }) {
  return (
    <span className={classes["swatch"]} style={{ background: `var(${seriesColour(place)})` }} aria-hidden />
  );
}
