/** Rows under their headings, each column as wide as its widest cell. */
export function renderColumns(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings.map((heading) => heading.toUpperCase()), ...rows];
  const widths = headings.map((_, column) =>
    Math.max(...lines.map((line) => characters(line[column] ?? ""))),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) => pad(cell, widths[column] ?? 0))
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
