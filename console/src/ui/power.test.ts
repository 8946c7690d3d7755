import { expect, test } from "vitest";
import { powerOf, whyNoPower } from "./power.ts";

test("what is stopped, or about to be, can be started; everything else can be stopped", () => {
  const asked = ["READY", "UNSTABLE", "RESUMING", "PAUSING", "PAUSED"] as const;
  expect(asked.map((status) => powerOf({ status }))).toEqual(["stop", "stop", "stop", "start", "start"]);
});

test("neither can be done before a service was there, nor once it is being deleted", () => {
  const asked = ["QUEUED", "CONFIGURING", "DELETING", "READY", "PAUSED"] as const;
  expect(asked.filter((status) => whyNoPower({ status }) !== null)).toEqual([
    "QUEUED",
    "CONFIGURING",
    "DELETING",
  ]);
});

test("what read replica sets follow cannot be stopped", () => {
  const reports = {
    id: "r3ports001",
    name: "reports",
    nodes: 1,
    cpu_millis: 500,
    memory_gbs: 2,
    status: "active",
  } as const;
  const read = (status: "READY" | "PAUSED") => whyNoPower({ status, read_replica_sets: [reports] });
  expect(read("READY")).toContain("Delete them first");
  expect(read("PAUSED")).toBeNull();
  expect(whyNoPower({ status: "READY", read_replica_sets: [] })).toBeNull();
});
