import { expect, test } from "vitest";
import { eventSign } from "./event-sign.ts";

test.each([
  ["service.status", { to: "READY" }, "howdah", "good"],
  ["service.status", { to: "UNSTABLE" }, "howdah", "bad"],
  ["service.status", { to: "SOMETHING_NEW" }, "howdah", "busy"],
  ["service.role", { reason: "failover" }, "howdah", "warn"],
  ["service.role", { reason: "switchover" }, "howdah", "busy"],
  ["service.condition", { status: "True" }, "howdah", "good"],
  ["service.condition", { status: "False" }, "howdah", "bad"],
  ["service.condition", { status: "False", reason: "Stopped" }, "howdah", "calm"],
  ["service.resize.accepted", {}, "key:abc", "calm"],
  ["something.new", {}, "howdah", "calm"],
])("%s with %j by %s is %s", (type, data, actor, mood) => {
  expect(eventSign({ type, data, actor }).mood).toBe(mood);
});
