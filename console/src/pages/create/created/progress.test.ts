import { expect, test } from "vitest";
import type { ServiceStory } from "../../../../../src/client/index.ts";
import { duration, progressOf } from "./progress.ts";

const CREATED = "2026-11-21T09:30:00.000Z";
const event = (second: number, type: string, message: string, data: Record<string, unknown> = {}) => ({
  id: String(second),
  at: `2026-11-21T09:30:0${second}.500Z`,
  type,
  actor: "howdah",
  message,
  data,
});

const STORY: ServiceStory = {
  status: "CONFIGURING",
  status_reason: "Creating member 0.",
  conditions: [],
  events: [event(1, "service.step", "Creating member 0."), event(0, "service.create.accepted", "Accepted.")],
};

test("steps are told oldest first, each with its time from the beginning", () => {
  const { steps, connectable, ready, readyAfter } = progressOf(STORY, CREATED);
  expect(steps.map(({ message, after }) => [message, after])).toEqual([
    ["Accepted.", 0.5],
    ["Creating member 0.", 1.5],
  ]);
  expect([connectable, ready, readyAfter]).toEqual([false, false, null]);
});

test("what only follows from other steps is left out, and what is waited for is told while it is", () => {
  const events = [
    event(3, "service.waiting", "Waiting for a primary."),
    event(2, "service.member", "Member 0 has appeared."),
    event(2, "service.waiting", "Waiting for the network."),
    ...STORY.events,
  ];
  const messages = (status: "CONFIGURING" | "READY") =>
    progressOf({ ...STORY, status, events }, CREATED).steps.map(({ message }) => message);
  expect(messages("CONFIGURING")).toEqual(["Accepted.", "Creating member 0.", "Waiting for a primary."]);
  expect(messages("READY")).toEqual(["Accepted.", "Creating member 0."]);
});

test("it takes connections before its replicas are there", () => {
  const available = { type: "Available", status: "True", reason: "x", message: "x", since: CREATED } as const;
  expect(progressOf({ ...STORY, conditions: [available] }, CREATED)).toMatchObject({
    connectable: true,
    ready: false,
  });
});

test("the first time that it was ready is the one that counts", () => {
  const events = [
    event(9, "service.status", "READY", { to: "READY" }),
    event(7, "service.status", "UPGRADING", { to: "UPGRADING" }),
    event(4, "service.status", "READY", { to: "READY" }),
    ...STORY.events,
  ];
  expect(progressOf({ ...STORY, status: "READY", events }, CREATED)).toMatchObject({
    ready: true,
    connectable: true,
    readyAfter: 4.5,
    steps: [{ after: 0.5 }, { after: 1.5 }, { after: 4.5, message: "READY" }],
  });
});

test("times are told as people say them", () => {
  expect([duration(0), duration(4.24), duration(65.2)]).toEqual(["0.0 s", "4.2 s", "1 min 5 s"]);
});
