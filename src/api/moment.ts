import { ApiError } from "../contract/errors.ts";

/** Milliseconds of the epoch. Throws INVALID_REQUEST for what has the form of a moment and is none, such as a leap second. */
export function momentOf(field: string, text: string): number {
  const ms = Date.parse(text);
  if (Number.isFinite(ms)) return ms;
  throw new ApiError("INVALID_REQUEST", `${field} must be a moment such as 2026-11-21T09:30:00Z`);
}
