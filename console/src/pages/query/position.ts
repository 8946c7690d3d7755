/** Where in the editor a mistake stands. */

export interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * @param position of PostgreSQL: characters of the SQL from 1, where JavaScript counts those outside the BMP twice
 * @param offset where the SQL begins in the editor
 */
export function spanAt(sql: string, position: number, offset: number): Span {
  let from = 0;
  let left = position - 1;
  for (const character of sql) {
    if (left <= 0) break;
    from += character.length;
    left -= 1;
  }
  const word = /^(?:[\p{L}\p{N}_$]+|"[^"\n]*"?|'[^'\n]*'?|\S)/u.exec(sql.slice(from))?.[0] ?? "";
  // A mistake at the end of the text is marked at its last character.
  if (word === "") return { from: offset + Math.max(0, from - 1), to: offset + Math.max(1, from) };
  return { from: offset + from, to: offset + from + word.length };
}
