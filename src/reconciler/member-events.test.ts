import { expect, test } from "vitest";
import { dueService } from "../../test/support/due-service.ts";
import type { InForce, MemberInForce } from "../contract/in-force.ts";
import type { DueService } from "../store/due-service.ts";
import { memberEvents, remember } from "./member-events.ts";

const member = (
  ordinal: number,
  state: MemberInForce["state"] = "running",
  role: MemberInForce["role"] = "replica",
): MemberInForce => ({ ordinal, state, role: state === "running" ? role : null });

const primary = (ordinal: number) => member(ordinal, "running", "primary");

function seen(members: readonly MemberInForce[]): InForce {
  return {
    settings: null,
    passwordVersion: null,
    allowList: null,
    pooler: false,
    primary: members.find(({ role }) => role === "primary")?.ordinal ?? null,
    members: [...members],
  };
}

/** One look after another, as passes make them; what each tells. */
function looks(all: readonly (InForce | null)[], service: Partial<DueService> = {}) {
  let known: InForce | null = null;
  return all.map((one) => {
    const now = remember(known, one);
    const told = memberEvents(dueService({ settledGeneration: 1, ...service, inForce: known }), now);
    known = now ?? known;
    return told.map(({ message, data }) => ({ message, ...data }));
  });
}

test("members appear, and one of them leads first", () => {
  const [nothing, first, both] = looks([
    seen([]),
    seen([primary(0)]),
    seen([primary(0), member(1, "silent")]),
  ]);
  expect(nothing).toEqual([]);
  expect(first).toEqual([
    { message: "Member 0 has appeared.", member: 0, from: null, to: "running" },
    { message: "Member 0 leads.", from: null, to: 0, reason: "first" },
  ]);
  expect(both).toEqual([{ message: "Member 1 has appeared.", member: 1, from: null, to: "silent" }]);
});

test("what stays as it was is told once", () => {
  expect(looks([seen([primary(0)]), seen([primary(0)]), null, seen([primary(0)])]).slice(1)).toEqual([
    [],
    [],
    [],
  ]);
});

test("a failover is told with who leads, who led, and why, also where nobody led in between", () => {
  const [, stopped, promoted, back] = looks([
    seen([primary(0), member(1)]),
    seen([member(0, "stopped"), member(1)]),
    seen([member(0, "stopped"), primary(1)]),
    seen([member(0), primary(1)]),
  ]);
  expect(stopped).toEqual([{ message: "Member 0 has stopped.", member: 0, from: "running", to: "stopped" }]);
  expect(promoted).toEqual([
    {
      message: "The primary has changed from member 0 to member 1: member 0 has stopped.",
      from: 0,
      to: 1,
      reason: "failover",
    },
  ]);
  expect(back).toMatchObject([{ message: "Member 0 runs, and its PostgreSQL answers.", to: "running" }]);
});

test("what happened while nobody looked is told with the next look", () => {
  const [, , now] = looks([seen([primary(0), member(1)]), null, seen([primary(1), member(2)])]);
  expect(now).toMatchObject([
    { message: "Member 0 is gone.", member: 0, from: "running", to: null },
    { member: 2, from: null },
    { from: 0, to: 1, reason: "failover", message: expect.stringContaining("member 0 is gone") },
  ]);
});

test("a lead that was handed over on request is told as that", () => {
  const handedOver = looks([seen([primary(0), member(1)]), seen([member(0), primary(1)])], {
    handOverFrom: 0,
  });
  expect(handedOver[1]).toMatchObject([{ from: 0, to: 1, reason: "switchover" }]);
  const resized = looks([seen([primary(0), member(1)]), seen([member(0), primary(1)])], { generation: 2 });
  expect(resized[1]).toMatchObject([{ from: 0, to: 1, reason: "switchover" }]);
  const unasked = looks([seen([primary(0), member(1)]), seen([member(0), primary(1)])], { generation: 1 });
  expect(unasked[1]).toMatchObject([{ from: 0, to: 1, reason: "failover" }]);
});

test("a service whose members were not kept before is looked at in silence once", () => {
  const { members: _unknown, ...old } = seen([primary(0)]);
  const service = dueService({ inForce: { ...old, primary: 0 } });
  expect(memberEvents(service, seen([primary(0), member(1)]))).toEqual([]);
});

test.each(["frozen", "cut off", "silent"] as const)("a member that is %s is told as that", (state) => {
  const [, now] = looks([seen([primary(0), member(1)]), seen([primary(0), member(1, state)])]);
  expect(now).toMatchObject([{ member: 1, from: "running", to: state }]);
});
