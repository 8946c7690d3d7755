/** Colours, type and sizes. Text colours keep 4.5:1 on every surface that they stand on. */
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";

const indigo: MantineColorsTuple = [
  "#eef0ff",
  "#dcdffb",
  "#b8bdf4",
  "#9198ee",
  "#7078e8",
  "#5a62e0",
  "#4548c4",
  "#393ca6",
  "#2f3286",
  "#262866",
];

/** White is read on it, which it is not on the library's own. */
const red: MantineColorsTuple = [
  "#fff3f2",
  "#fde3e1",
  "#f9c4c1",
  "#f5a19d",
  "#ee7470",
  "#d63a3a",
  "#c22b2b",
  "#a82424",
  "#8d1f1f",
  "#6f1919",
];

const SYSTEM_FONT =
  'Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif';

export const theme = createTheme({
  colors: { indigo, red },
  primaryColor: "indigo",
  primaryShade: { light: 6, dark: 5 },
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  fontFamily: SYSTEM_FONT,
  fontFamilyMonospace:
    'ui-monospace, "SF Mono", "JetBrains Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
  fontSizes: { xs: "0.75rem", sm: "0.8125rem", md: "0.875rem", lg: "1rem", xl: "1.125rem" },
  components: {
    Modal: {
      defaultProps: { closeButtonProps: { "aria-label": "Close" } },
      styles: { title: { fontWeight: 600, overflowWrap: "anywhere" } },
    },
    // Axe takes it for the banner of the page.
    ModalHeader: { defaultProps: { role: "none" } },
    Notification: { defaultProps: { closeButtonProps: { "aria-label": "Dismiss" } } },
    // What is told on hover is told to the keyboard and the finger too.
    Tooltip: { defaultProps: { events: { hover: true, focus: true, touch: true } } },
    // An element that can have the focus and is no item has no place in a menu.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
  },
  headings: {
    fontFamily: SYSTEM_FONT,
    fontWeight: "600",
    sizes: {
      h1: { fontSize: "1.375rem", lineHeight: "1.3" },
      h2: { fontSize: "1rem", lineHeight: "1.4" },
      h3: { fontSize: "0.875rem", lineHeight: "1.4" },
    },
  },
});

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-body": "#f8f8f7",
    "--mantine-color-text": "#1b1c1f",
    "--mantine-color-dimmed": "#5d6068",
    "--mantine-color-placeholder": "#6f727a",
    "--mantine-color-error": "#c22b2b",
    "--mantine-color-default-border": "#e0e0de",
    "--howdah-panel": "#ffffff",
    "--howdah-sunken": "#f1f1ef",
    "--howdah-line": "#e7e7e4",
    "--howdah-good": "#1a7a46",
    "--howdah-busy": "#3f43bd",
    "--howdah-warn": "#97600a",
    "--howdah-bad": "#bd2a2a",
    "--howdah-calm": "#5d6068",
    "--howdah-accent": "#4548c4",
    // Of lines in charts: 3:1 on a panel.
    "--howdah-series-0": "#4548c4",
    "--howdah-series-1": "#0b7f7a",
    "--howdah-series-2": "#b4560a",
    "--howdah-series-3": "#a32a78",
    "--howdah-series-4": "#2470bd",
    "--howdah-series-5": "#66780a",
    "--howdah-series-6": "#7a4fc0",
    "--howdah-series-7": "#bd2a2a",
    "--howdah-series-8": "#5d6068",
  },
  dark: {
    "--mantine-color-body": "#121315",
    "--mantine-color-text": "#e9e9ea",
    "--mantine-color-dimmed": "#a0a3aa",
    "--mantine-color-placeholder": "#8b8e96",
    "--mantine-color-red-light": "color-mix(in srgb, var(--howdah-bad) 10%, var(--howdah-panel))",
    "--mantine-color-error": "#ff8b86",
    "--mantine-color-default-border": "#34363b",
    "--howdah-panel": "#1a1b1e",
    "--howdah-sunken": "#0e0f11",
    "--howdah-line": "#2a2c30",
    "--howdah-good": "#5bcb8c",
    "--howdah-busy": "#a3a8f7",
    "--howdah-warn": "#e9b14d",
    "--howdah-bad": "#ff8b86",
    "--howdah-calm": "#a0a3aa",
    "--howdah-accent": "#a3a8f7",
    "--howdah-series-0": "#a3a8f7",
    "--howdah-series-1": "#4fc7bf",
    "--howdah-series-2": "#f0a35e",
    "--howdah-series-3": "#ef8fc9",
    "--howdah-series-4": "#78b7f5",
    "--howdah-series-5": "#bccb5a",
    "--howdah-series-6": "#c3a3f2",
    "--howdah-series-7": "#ff8b86",
    "--howdah-series-8": "#b3b6bd",
  },
});
