import { expect, test } from "vitest";
import { eventsInWords, eventsProblem, SUGGESTED_EVENTS } from "./event-patterns.ts";

test("what is suggested is accepted", () => {
  expect(eventsProblem(SUGGESTED_EVENTS)).toBeNull();
});

test.each([["Service.status"], ["service..status"], ["*.status"], ["service status"]])(
  "%s is refused by name",
  (type) => {
    expect(eventsProblem(["service.status", type])).toContain(`"${type}"`);
  },
);

test("none at all is refused", () => {
  expect(eventsProblem([])).toContain("at least one");
});

test("a star among others means all", () => {
  expect(eventsInWords(["service.status", "*"])).toBe("every event");
});
