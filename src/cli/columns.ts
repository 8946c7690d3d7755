import { cleanDetail } from "../lib/progress-line.ts";

/** What a cell looks like; it gets the text at its full width, so that colours do not count as characters. */
export type CellStyle = (padded: string, column: number, text: string) => string;

/** Rows under their headings, each column as wide as its widest cell, each cell one printable line. */
export function renderColumns(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  style: CellStyle = (padded) => padded,
): string {
  const lines = [
    headings.map((heading) => heading.toUpperCase()),
    ...rows.map((row) => row.map(cleanDetail)),
  ];
  const widths = headings.map((_, column) =>
    Math.max(...lines.map((line) => characters(line[column] ?? ""))),
  );
  return lines
    .map((line, row) =>
      line
        .map((cell, column) => {
          // The last cell needs no space after it.
          const padded = column === line.length - 1 ? cell : pad(cell, widths[column] ?? 0);
          return row === 0 ? padded : style(padded, column, cell);
        })
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function pad(cell: string, width: number): string {
  return cell + " ".repeat(width - characters(cell));
}

function characters(text: string): number {
  return Array.from(text).length;
}
