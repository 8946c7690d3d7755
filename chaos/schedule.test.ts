import { expect, test } from "vitest";
import { commandLine, readArguments, readShapes } from "./arguments.ts";
import { describeFault } from "./fault.ts";
import { scheduleFor } from "./schedule.ts";

const services = readShapes("0,1,1s,2s2");
const options = { seed: 42, durationMs: 600_000, services };

test("the same seed gives the same faults, and another one others", () => {
  expect(scheduleFor(options)).toEqual(scheduleFor(options));
  expect(scheduleFor({ ...options, seed: 43 })).not.toEqual(scheduleFor(options));
});

test("faults come in order of time, none after the end", () => {
  const times = scheduleFor(options).map(({ atMs }) => atMs);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(times.at(-1)).toBeLessThanOrEqual(options.durationMs);
});

test("leaving a service out changes nothing for the one before it", () => {
  const alone = scheduleFor({ ...options, services: services.slice(0, 1) });
  expect(alone).toEqual(scheduleFor(options).filter(({ service }) => service === null || service === "0"));
});

test("every kind of fault happens to somebody, and those to be asked for only then", () => {
  const kinds = new Set(scheduleFor({ ...options, durationMs: 3_600_000 }).map(({ fault }) => fault.kind));
  expect([...kinds].toSorted()).toEqual([
    "cutNetwork",
    "killControlPlane",
    "killEtcd",
    "killGateway",
    "killMember",
    "killPooler",
    "killPostmaster",
    "pauseMember",
    "resize",
    "setHA",
    "stop",
    "stopProcesses",
    "switchover",
  ]);
});

test("nine in ten services with synchronous replicas keep one all along", () => {
  const kept = Array.from({ length: 200 }, (_, seed) =>
    scheduleFor({ seed, durationMs: 1_800_000, services: readShapes("1s") }).every(
      ({ fault }) => fault.kind !== "setHA" || fault.syncReplicaCount > 0,
    ),
  ).filter(Boolean).length;
  expect(kept).toBeGreaterThan(160);
  expect(kept).toBeLessThan(200);
});

test("a fault is told in words", () => {
  expect(describeFault({ kind: "cutNetwork", target: "primary", forMs: 1_500 })).toBe(
    "cutNetwork primary for 1.5 s",
  );
});

test("the command line that is printed asks for the same again", () => {
  const chosen = readArguments([
    "--seed",
    "9",
    "--minutes",
    "1.5",
    "--services",
    "1s,1s,2s2",
    "--every",
    "20",
  ]);
  if (chosen.mode !== "real") throw new Error("it is not about containers");
  expect(chosen.services.map(({ name }) => name)).toEqual(["1s", "1s-2", "2s2"]);
  const again = commandLine(chosen).replace("npm run chaos -- ", "").split(" ");
  expect(readArguments(again)).toEqual(chosen);
});

test.each([
  ["--services", "x"],
  ["--services", "1s2"],
  ["--minutes", "0"],
  ["--seed", "1.5"],
  ["--every", ""],
])("%s %s is refused", (...argv) => {
  expect(() => readArguments(argv)).toThrow(/^--/);
});
