/** Which events a webhook wants, as people choose them. Pure. */
import { EVENT_TYPE_PATTERN } from "../../../../src/contract/event-types.ts";

/** What most receivers want; any other type can be typed. */
export const SUGGESTED_EVENTS = [
  "*",
  "service.status",
  "service.role",
  "service.condition",
  "service.trouble",
  "service.withdrawn",
  "service.member",
  "service.create",
  "service.delete",
  "service.deleted",
  "service.resize",
  "service.ha",
  "vpc.*",
  "webhook.*",
];

const PATTERN = new RegExp(EVENT_TYPE_PATTERN);

/** What is wrong with a choice, in a sentence; null: nothing. */
export function eventsProblem(types: readonly string[]): string | null {
  if (types.length === 0) return "Choose at least one, or * for all.";
  const wrong = types.find((type) => !PATTERN.test(type));
  return wrong === undefined
    ? null
    : `"${wrong}" is no type of events: write one such as service.status or service.*`;
}

/** For people who look at a webhook. */
export function eventsInWords(types: readonly string[]): string {
  return types.includes("*") ? "every event" : types.join(", ");
}
