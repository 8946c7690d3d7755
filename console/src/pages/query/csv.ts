/** Results as RFC 4180 writes tables. NULL is nothing at all, an empty text is two quotes: PostgreSQL's COPY reads it so. */
import type { QueryRecord } from "../../../../src/client/index.ts";

type Result = QueryRecord["results"][number];

export function toCsv({ columns, rows }: Pick<Result, "columns" | "rows">): string {
  const head = columns.map(({ name }) => field(name));
  const lines = [head, ...rows.map((row) => row.map(field))];
  return `${lines.map((line) => line.join(",")).join("\r\n")}\r\n`;
}

function field(value: string | null): string {
  if (value === null) return "";
  return value === "" || /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
