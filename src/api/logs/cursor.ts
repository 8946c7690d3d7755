/** Where a page of logs ended, as clients carry it to the next: opaque to them. */
import { Type } from "typebox";
import { Value } from "typebox/value";
import { ApiError } from "../../contract/errors.ts";
import type { LogPosition } from "../../lib/member-logs.ts";

const VERSION = 1;

const Written = Type.Object({
  v: Type.Literal(VERSION),
  at: Type.Array(
    Type.Tuple([Type.Integer({ minimum: 0 }), Type.String({ maxLength: 64 }), Type.Integer({ minimum: 0 })]),
    { maxItems: 256 },
  ),
});

export function writeCursor(positions: ReadonlyMap<number, LogPosition>): string {
  const at = [...positions].map(([ordinal, [file, offset]]) => [ordinal, file, offset]);
  return Buffer.from(JSON.stringify({ v: VERSION, at })).toString("base64url");
}

/** Throws INVALID_REQUEST. */
export function readCursor(text: string): ReadonlyMap<number, LogPosition> {
  const written = parse(Buffer.from(text, "base64url").toString("utf8"));
  if (!Value.Check(Written, written))
    throw new ApiError("INVALID_REQUEST", "cursor must be a last_cursor that an earlier answer held");
  return new Map(written.at.map(([ordinal, file, offset]) => [ordinal, [file, offset] as const]));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
