import type { CSSProperties } from "react";
import type { Box } from "./boxes.ts";

/** By a transformation, which moves smoothly where a position would jump. */
export function placed({ x, y, width, height }: Box): CSSProperties {
  return { transform: `translate(${Math.round(x)}px, ${Math.round(y)}px)`, width, height };
}
