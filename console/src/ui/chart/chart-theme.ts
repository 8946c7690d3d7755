/** The theme's colours and type, as a canvas takes them. */

export interface ChartTheme {
  readonly text: string;
  readonly grid: string;
  readonly warn: string;
  readonly cursor: string;
  readonly font: string;
  /** By the place of a node. */
  readonly series: (place: number) => string;
}

const COLOURS = 9;
const FONT_SIZE = 11;

/** The name of the variable with a node's colour. */
export function seriesColour(place: number): string {
  return `--howdah-series-${place % COLOURS}`;
}

export function chartTheme(element: Element): ChartTheme {
  const style = getComputedStyle(element);
  const variable = (name: string) => style.getPropertyValue(name).trim();
  return {
    text: variable("--mantine-color-dimmed"),
    grid: variable("--howdah-line"),
    warn: variable("--howdah-warn"),
    cursor: variable("--mantine-color-placeholder"),
    font: `${FONT_SIZE}px ${style.fontFamily}`,
    series: (place) => variable(seriesColour(place)),
  };
}
