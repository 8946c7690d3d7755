/** Which cell the keys lead to, and how wide a column is. */

export interface Cell {
  readonly row: number;
  readonly column: number;
}

interface Key {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

const PAGE = 15;

/** null: the key leads nowhere. */
export function moved(
  { row, column }: Cell,
  { key, ctrlKey, metaKey }: Key,
  { rows, columns }: { readonly rows: number; readonly columns: number },
): Cell | null {
  const whole = ctrlKey || metaKey;
  const to: Readonly<Record<string, Cell>> = {
    ArrowUp: { row: row - 1, column },
    ArrowDown: { row: row + 1, column },
    ArrowLeft: { row, column: column - 1 },
    ArrowRight: { row, column: column + 1 },
    PageUp: { row: row - PAGE, column },
    PageDown: { row: row + PAGE, column },
    Home: { row: whole ? 0 : row, column: 0 },
    End: { row: whole ? rows - 1 : row, column: columns - 1 },
  };
  const target = to[key];
  if (!target || rows === 0 || columns === 0) return null;
  return { row: within(target.row, rows), column: within(target.column, columns) };
}

function within(index: number, count: number): number {
  return Math.max(0, Math.min(index, count - 1));
}

const NUMERIC = /^(smallint|integer|bigint|numeric|real|double precision|money|oid)\b(?!.*\[\])/;

export function isNumeric(type: string): boolean {
  return NUMERIC.test(type);
}

const CHARACTER_PX = 7.4;
const PADDING_PX = 26;
const LEAST_PX = 72;
const MOST_PX = 380;
/** Those that are looked at: a column does not jump while it is scrolled. */
const LOOKED_AT = 200;

export function columnWidth(
  { name, type }: { readonly name: string; readonly type: string },
  rows: readonly (readonly (string | null)[])[],
  index: number,
): number {
  const values = rows.slice(0, LOOKED_AT).map((row) => row[index]?.length ?? 4);
  const longest = Math.max(name.length, type.length, ...values);
  return Math.round(Math.max(LEAST_PX, Math.min(MOST_PX, longest * CHARACTER_PX + PADDING_PX)));
}
