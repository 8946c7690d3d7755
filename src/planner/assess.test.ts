import { describe, expect, test } from "vitest";
import {
  catchingUp,
  frozen,
  NOTHING,
  onFullDisk,
  primary,
  replica,
  silent,
  standing,
  stopped,
  withSettings,
} from "../../test/support/observations.ts";
import { desiredService, LARGE } from "../../test/support/services.ts";
import type { ServiceStatus } from "../contract/service.ts";
import { type Assessment, assess, assessUnobserved } from "./assess.ts";
import type { DesiredService } from "./desired.ts";
import type { ObservedService } from "./observed.ts";
import { plan } from "./plan.ts";
import { settingsFor } from "./settings.ts";
import { WAITS } from "./waits.ts";

const NOW = new Date("2026-05-01T12:00:00Z");
const ago = (ms: number) => new Date(NOW.getTime() - ms);

/** Assessed after having waited, if it waits at all, for so long. */
function assessed(desired: DesiredService, observed: ObservedService, waitedMs = 0): Assessment {
  const next = plan(desired, observed);
  const waiting = next.kind === "wait" ? { reason: next.reason, since: ago(waitedMs) } : null;
  return assess(desired, observed, next, waiting, [], NOW);
}

const created = desiredService();
const ready = desiredService({ settledGeneration: 1 });
const replicated = desiredService({ settledGeneration: 1, replicaCount: 1, syncReplicaCount: 1 });
const forked = desiredService({ forkedFrom: "parent0000" });
const growing = desiredService({ generation: 2, settledGeneration: 1, size: LARGE });
const scaling = desiredService({ generation: 2, settledGeneration: 1, replicaCount: 1 });
const stopping = desiredService({ generation: 2, settledGeneration: 1, power: "stopped" });
const paused = desiredService({
  generation: 2,
  settledGeneration: 2,
  power: "stopped",
  settledPower: "stopped",
});
const resuming = desiredService({ generation: 3, settledGeneration: 2, settledPower: "stopped" });
const growingAtRest: DesiredService = { ...paused, generation: 3, size: LARGE };
const closedAtRest: DesiredService = { ...paused, generation: 3, allowList: [] };
const resumingTwo: DesiredService = { ...resuming, replicaCount: 1 };
const deleted = desiredService({ generation: 2, settledGeneration: 1, presence: "absent" });

describe("the status", () => {
  test.each<[string, ServiceStatus, DesiredService, ObservedService]>([
    ["a create has begun", "CONFIGURING", created, NOTHING],
    ["a created database does not answer yet", "CONFIGURING", created, standing(created, [silent(0)])],
    ["all is as asked", "READY", ready, standing(ready, [primary(0)])],
    ["all is as asked, for the first time", "READY", created, standing(created, [primary(0)])],
    ["a resize is on the way", "UPGRADING", growing, standing(growing, [primary(0)])],
    ["a resize restarts the only member", "UPGRADING", growing, standing(growing, [silent(0)])],
    ["replicas are being added", "UPGRADING", scaling, standing(scaling, [primary(0), silent(1)])],
    ["the primary is gone", "UNSTABLE", ready, standing(ready, [silent(0)])],
    [
      "the endpoint is closed",
      "UNSTABLE",
      ready,
      { ...standing(ready, [primary(0)]), gateway: closedGateway() },
    ],
    ["a replica is lost", "UNSTABLE", replicated, standing(replicated, [primary(0)])],
    ["the data is gone", "UNSTABLE", ready, NOTHING],
    ["the data is gone in the middle of a change", "UNSTABLE", growing, NOTHING],
    ["it is being stopped", "PAUSING", stopping, standing(stopping, [primary(0)])],
    ["a member that stops does not answer", "PAUSING", stopping, standing(stopping, [silent(0), stopped(1)])],
    ["one that stops is frozen", "PAUSING", stopping, standing(stopping, [frozen(0)])],
    ["it has stopped", "PAUSED", stopping, standing(stopping, [stopped(0)])],
    ["it rests", "PAUSED", paused, standing(paused, [stopped(0)])],
    [
      "it rests and another size was asked for",
      "PAUSED",
      growingAtRest,
      standing(growingAtRest, [stopped(0)]),
    ],
    [
      "it rests and its endpoint is told another list",
      "PAUSED",
      closedAtRest,
      {
        ...standing(paused, [stopped(0)]),
        gateway: { state: "running", serving: false, allowList: ["::/0"] },
      },
    ],
    ["somebody has started a member of it", "PAUSING", paused, standing(paused, [primary(0)])],
    ["it rests and its data is gone", "PAUSING", paused, NOTHING],
    ["it is being started", "RESUMING", resuming, standing(resuming, [stopped(0)])],
    ["its first member comes", "RESUMING", resuming, standing(resuming, [silent(0)])],
    [
      "it leads and its replicas come",
      "RESUMING",
      resumingTwo,
      standing(resumingTwo, [primary(0), stopped(1)]),
    ],
    ["all of it has come back", "READY", resuming, standing(resuming, [primary(0)])],
    ["it was never ready and is copied", "CONFIGURING", forked, { ...NOTHING, copy: { state: "running" } }],
    ["it is being deleted", "DELETING", deleted, standing(deleted, [primary(0)])],
    ["it is deleted", "DELETING", deleted, NOTHING],
  ])("when %s is %s", (_when, status, desired, observed) => {
    expect(assessed(desired, observed).status).toBe(status);
  });

  test("of a change turns UNSTABLE when the primary stays away longer than it should", () => {
    const { deadlineMs } = WAITS.primary;
    const observed = standing(growing, [{ ...silent(0), limits: primary(0, LARGE).limits }]);
    expect(assessed(growing, observed, deadlineMs - 1).status).toBe("UPGRADING");
    expect(assessed(growing, observed, deadlineMs).status).toBe("UNSTABLE");
  });

  test("of a change that takes long while the primary serves stays UPGRADING", () => {
    const observed = standing(scaling, [primary(0), silent(1)]);
    expect(assessed(scaling, observed, 10 * WAITS.replication.deadlineMs).status).toBe("UPGRADING");
  });

  test.each<[ServiceStatus, DesiredService]>([
    ["CONFIGURING", created],
    ["UNSTABLE", ready],
    ["UNSTABLE", desiredService({ generation: 2, settledGeneration: 1 })],
    ["RESUMING", resuming],
  ])("is %s while nothing but room on a disk is missing", (status, desired) => {
    expect(assessed(desired, standing(desired, [onFullDisk(primary(0))])).status).toBe(status);
  });

  test.each<[ServiceStatus, DesiredService]>([
    ["CONFIGURING", created],
    ["UNSTABLE", ready],
    ["UNSTABLE", growing],
    ["PAUSING", stopping],
    ["PAUSED", paused],
    ["PAUSED", growingAtRest],
    ["RESUMING", resuming],
    ["DELETING", deleted],
  ])("is %s where the platform does not answer", (status, desired) => {
    const told = assessUnobserved(desired, "connection refused", [], NOW);
    expect(told.status).toBe(status);
    expect(told.statusReason).toBe("The platform does not answer: connection refused");
    expect(told.conditions.map((condition) => condition.status)).toEqual(["Unknown", "Unknown", "Unknown"]);
  });
});

describe("the reason", () => {
  test.each<[string, DesiredService, ObservedService, string]>([
    ["all is well", ready, standing(ready, [primary(0)]), "Everything that was asked for is in force."],
    ["nobody leads", ready, standing(ready, [silent(0)]), "No member takes writes."],
    [
      "the endpoint's port is taken",
      ready,
      { ...standing(ready, [primary(0)]), gateway: closedGateway("port is already allocated") },
      "The endpoint is not open: port is already allocated.",
    ],
    [
      "the endpoint is blind",
      ready,
      {
        ...standing(ready, [primary(0)]),
        gateway: { state: "running", serving: false, allowList: ready.allowList },
      },
      "The endpoint does not lead to the primary yet.",
    ],
    [
      "the primary's disk is full",
      ready,
      standing(ready, [onFullDisk(primary(0))]),
      "The disk of member 0 is full: it takes no writes until space is freed.",
    ],
    [
      "a replica's disk is full",
      scaling,
      standing(scaling, [primary(0), onFullDisk(replica(1))]),
      "A disk is full: the one of member 1 has next to no room left; this takes longer than it should.",
    ],
    [
      "a replica with a full disk does not stream",
      scaling,
      standing(scaling, [primary(0), onFullDisk(catchingUp(1))]),
      "0 of 1 replicas stream, 0 of 0 synchronously. The disk of member 1 is full.",
    ],
    [
      "replicas copy",
      scaling,
      standing(scaling, [primary(0), catchingUp(1)]),
      "0 of 1 replicas stream, 0 of 0 synchronously.",
    ],
    [
      "a step is to be done",
      growing,
      standing(growing, [primary(0)]),
      "Setting the CPU and memory of member 0.",
    ],
    ["it stops and still serves", stopping, standing(stopping, [primary(0)]), "Stopping member 0."],
    [
      "it stops and waits for a member",
      stopping,
      standing(stopping, [silent(0), stopped(1)]),
      "Waiting for a primary that takes writes: member 0 does not answer, and may have what others lack.",
    ],
    ["it rests", paused, standing(paused, [stopped(0)]), "The service was stopped."],
    ["it is being started", resuming, standing(resuming, [stopped(0)]), "No member takes writes."],
  ])("says it when %s", (_when, desired, observed, sentence) => {
    expect(assessed(desired, observed).statusReason).toBe(sentence);
  });
});

describe("the conditions", () => {
  const of = (assessment: Assessment) =>
    Object.fromEntries(
      assessment.conditions.map(({ type, status, reason }) => [type, `${status} ${reason}`]),
    );

  test("all hold for a service that is as asked", () => {
    const observed = standing(replicated, [primary(0), replica(1, "sync")]);
    expect(of(assessed(replicated, observed))).toEqual({
      Available: "True PrimaryWritable",
      Replicated: "True ReplicasStreaming",
      Settled: "True AsAsked",
    });
  });

  test("tell a replica that streams from one that streams synchronously", () => {
    const observed = standing(replicated, [primary(0), replica(1, "async")]);
    expect(of(assessed(replicated, observed))).toEqual({
      Available: "True PrimaryWritable",
      Replicated: "False ReplicasMissing",
      Settled: "False Waiting",
    });
  });

  test("tell why a parent's data is copied once more", () => {
    const failed: ObservedService = {
      ...NOTHING,
      foundation: "present",
      copy: { state: "failed", detail: "killed" },
    };
    const told = assessed(forked, failed).conditions.find(({ type }) => type === "Settled");
    expect(told?.message).toBe("Copying the data of service parent0000; the try before failed: killed.");
    const first = assessed(forked, { ...failed, copy: { state: "absent" } }).conditions;
    expect(first.find(({ type }) => type === "Settled")?.message).toBe(
      "Copying the data of service parent0000.",
    );
  });

  test("know nothing of the replicas of a service that rests, and do not call it broken", () => {
    expect(of(assessed(paused, standing(paused, [stopped(0), stopped(1)])))).toEqual({
      Available: "False Stopped",
      Replicated: "Unknown Stopped",
      Settled: "True AsAsked",
    });
  });

  test("make a wait visible at once when there is nothing to wait for by itself", () => {
    expect(of(assessed(ready, NOTHING))).toMatchObject({ Settled: "False Overdue" });
  });

  test.each(Object.entries(WAITS))("have a deadline and a sentence for %s", (_reason, wait) => {
    expect(wait.deadlineMs).toBeGreaterThanOrEqual(0);
    expect(wait.sentence).not.toBe("");
  });

  test("say Overdue from the deadline of a wait on", () => {
    const observed = standing(scaling, [primary(0), silent(1)]);
    const { deadlineMs } = WAITS.answer;
    expect(of(assessed(scaling, observed, deadlineMs - 1))).toMatchObject({ Settled: "False Waiting" });
    expect(of(assessed(scaling, observed, deadlineMs))).toMatchObject({ Settled: "False Overdue" });
  });

  test("keep the time of the last change of their status, whatever else of them changes", () => {
    const { conditions } = assessed(scaling, standing(scaling, [primary(0), silent(1)]));
    const later = new Date(NOW.getTime() + 5_000);
    const observed = standing(scaling, [primary(0), replica(1)]);
    const next = assess(scaling, observed, plan(scaling, observed), null, conditions, later).conditions;
    expect(next.map(({ type, since }) => [type, since])).toEqual([
      ["Available", NOW.toISOString()],
      ["Replicated", later.toISOString()],
      ["Settled", later.toISOString()],
    ]);
  });
});

describe("what is in force", () => {
  const settings = { ...settingsFor(LARGE, { jit: "off" }) };

  test("is what the primary, the endpoint and the pooler tell, whatever was asked for", () => {
    const desired = desiredService({ settledGeneration: 1, passwordVersion: 3, allowList: [], pooler: true });
    const observed = standing(desired, [withSettings(primary(0, LARGE), { jit: "off" }), replica(1)], {
      gateway: { state: "running", serving: true, allowList: ["192.0.2.0/24"] },
      roles: { current: true, passwordVersion: 2 },
      pooler: { state: "running", serving: false },
    });
    expect(assessed(desired, observed).inForce).toEqual({
      settings,
      passwordVersion: 2,
      allowList: ["192.0.2.0/24"],
      primary: 0,
      members: [
        { ordinal: 0, state: "running", role: "primary" },
        { ordinal: 1, state: "running", role: "replica" },
      ],
      pooler: false,
    });
  });

  test("is unknown as far as nobody tells", () => {
    expect(assessed(created, NOTHING).inForce).toEqual({
      settings: null,
      passwordVersion: null,
      allowList: null,
      primary: null,
      members: [],
      pooler: false,
    });
    expect(assessUnobserved(ready, "it is gone", [], NOW).inForce).toBeNull();
  });

  test("is the list of a service that rests, and nothing else", () => {
    expect(assessed(paused, standing(paused, [stopped(0)])).inForce).toEqual({
      settings: null,
      passwordVersion: null,
      allowList: paused.allowList,
      primary: null,
      members: [{ ordinal: 0, state: "stopped", role: null }],
      pooler: false,
    });
  });
});

function closedGateway(problem?: string) {
  return { state: "stopped", serving: false, allowList: null, ...(problem ? { problem } : {}) } as const;
}
