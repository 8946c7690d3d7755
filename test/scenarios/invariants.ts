/** What no step of any plan may ever do, whatever was wanted and whatever happened before. */
import { expect } from "vitest";
import { EVERY_ADDRESS } from "../../src/contract/cidr.ts";
import type { DesiredService } from "../../src/planner/desired.ts";
import type { ObservedMember, ObservedService } from "../../src/planner/observed.ts";
import { type PostgresSettings, STANDBY_FLOOR_SETTINGS } from "../../src/planner/settings.ts";
import type { Step, StepKind } from "../../src/planner/step.ts";
import { type ServiceState, servingLeader } from "../../src/platforms/simulated/state.ts";
import type { Look } from "../support/converge.ts";
import type { World } from "../support/world.ts";

/** Throws with the law that the step breaks. */
export function checkStep(
  step: Step,
  observed: ObservedService,
  state: ServiceState,
  desired: DesiredService,
): void {
  const broken = LAWS.filter(({ holds }) => !holds(step, observed, state, desired));
  if (broken.length === 0) return;
  const laws = broken.map(({ law }) => law).join(" ");
  throw new Error(`${laws}\n${JSON.stringify(step)}\n${JSON.stringify(observed, null, 1)}`);
}

/** Throws where what is told of a service is not what is there. */
export function checkLook({ assessment: { status }, observed, plan }: Look, world: World): void {
  const { state, desired } = world;
  if (status === "PAUSED") {
    const up = state.members.filter(({ container }) => container !== "absent" && container !== "stopped");
    expect(up, "a service that is PAUSED has no member that runs").toEqual([]);
    expect(state.pooler.state, "a service that is PAUSED has no pooler").toBe("absent");
  }
  if (status === "READY" && plan?.kind === "settled" && desired.generation === desired.settledGeneration) {
    expect(observed?.gateway.allowList, "a service that is READY lets in who may come").toEqual(
      desired.allowList,
    );
    const { joined = [], ranges = [] } = observed?.vpc ?? {};
    const { vpc } = desired;
    expect(joined, "a service that is READY stands in its VPC alone").toEqual(vpc ? [vpc.vpcId] : []);
    expect(ranges, "a service that is READY lets in its VPC alone").toEqual(vpc ? [vpc.cidr] : []);
    const anybody = desired.allowList.some((range) => EVERY_ADDRESS.includes(range));
    expect(!anybody && world.faults.write(world.serviceId, STRANGER), "a stranger got in").toBe(false);
  }
}

/** On no list of these tests. */
const STRANGER = "203.0.113.9/32";

interface Law {
  readonly law: string;
  readonly holds: (
    step: Step,
    observed: ObservedService,
    state: ServiceState,
    desired: DesiredService,
  ) => boolean;
}

const LAWS: readonly Law[] = [
  {
    law: "A step is about members that are there.",
    holds: (step, { members }) =>
      ordinalsOf(step).every((ordinal) => members.some((member) => member.ordinal === ordinal)),
  },
  {
    law: "Neither the primary nor what may be the last good copy is removed.",
    holds: (step, _observed, state) => {
      if (step.kind !== "removeMember" || state.upstream) return true;
      const victim = memberIn(state, step.ordinal);
      const leader = servingLeader(state);
      return !victim?.data || (leader !== null && leader.data !== null && leader.ordinal !== step.ordinal);
    },
  },
  {
    law: "A replica that commits wait for is not removed.",
    holds: (step, observed) =>
      step.kind !== "removeMember" ||
      memberAt(observed, step.ordinal)?.postgres?.replication?.synchronous !== true,
  },
  {
    law: "A new database begins only where the service never was ready, no volume holds data and there is no parent.",
    holds: (step, _observed, state, { settledGeneration, forkedFrom }) =>
      step.kind !== "createMember" ||
      step.data !== "new" ||
      (settledGeneration === 0 &&
        forkedFrom === null &&
        state.members.every((member) => member.ordinal === step.ordinal || member.data === null)),
  },
  {
    law: "No member is disturbed while another one is.",
    holds: (step, observed) => {
      const disturbing = ["restartPostgres", "switchover", "removeMember"].includes(step.kind);
      if (!("ordinal" in step || step.kind === "switchover")) return true;
      if (!disturbing && !(step.kind === "fitMember" && step.restart)) return true;
      const target = step.kind === "switchover" ? step.from : step.ordinal;
      const disturbs = isUndisturbed(memberAt(observed, target));
      const others = observed.members.filter(({ ordinal }) => ordinal !== target);
      return !disturbs || others.every(isUndisturbed);
    },
  },
  {
    law: "What only reads is never told, led or begun as what writes.",
    holds: (step, _observed, state) =>
      !state.upstream ||
      (!FOR_WRITERS.includes(step.kind) && !(step.kind === "createMember" && step.data !== "copy")),
  },
  {
    law: "Only a service that shall be stopped is stopped.",
    holds: (step, _observed, _state, { power }) => step.kind !== "stopMember" || power === "stopped",
  },
  {
    law: "Only what takes no part any more is ended.",
    holds: (step, _observed, state) => {
      const container = step.kind === "endMember" && memberIn(state, step.ordinal)?.container;
      return container !== "running";
    },
  },
  {
    law: "Nobody who leads stops before those that follow.",
    holds: (step, _observed, state) => {
      if (step.kind !== "stopMember" || state.leader?.ordinal !== step.ordinal) return true;
      const others = state.members.filter(({ ordinal }) => ordinal !== step.ordinal);
      return others.every(({ container, data }) => data === null || container !== "running");
    },
  },
  {
    law: "Nothing is copied from a parent where a server of the service's own is.",
    holds: (step, _observed, state) =>
      step.kind !== "copyParent" || state.members.every(({ container }) => container === "absent"),
  },
  {
    law: "Nobody gets less than its primary of what a replica needs at least as much of.",
    holds: (step, observed, state) => {
      if (step.kind !== "restartPostgres" && step.kind !== "switchover") return true;
      const told = state.configuration?.settings ?? {};
      const target = step.kind === "switchover" ? step.from : step.ordinal;
      const settingsOf = (ordinal: number) => memberAt(observed, ordinal)?.postgres?.settings ?? {};
      const leader = state.leader?.ordinal ?? -1;
      if (target !== leader) return !hasLess(told, settingsOf(leader));
      return observed.members.every(
        ({ ordinal }) => ordinal === leader || !hasLess(settingsOf(ordinal), told),
      );
    },
  },
  {
    law: "Memory is not taken from a server that still runs with the settings of more.",
    holds: (step, observed) => {
      if (step.kind !== "setLimits") return true;
      const member = memberAt(observed, step.ordinal);
      const buffers = bytesOf(member?.postgres?.settings["shared_buffers"]);
      return buffers === null || buffers * 4 <= step.limits.memoryBytes;
    },
  },
];

const FOR_WRITERS: readonly StepKind[] = [
  "ensureFoundation",
  "copyParent",
  "setRoles",
  "configure",
  "takeUpSettings",
  "restartPostgres",
  "switchover",
];

function hasLess(a: PostgresSettings, b: PostgresSettings): boolean {
  return STANDBY_FLOOR_SETTINGS.some((name) => Number(a[name]) < Number(b[name]));
}

function memberAt({ members }: ObservedService, ordinal: number): ObservedMember | undefined {
  return members.find((member) => member.ordinal === ordinal);
}

function memberIn({ members }: ServiceState, ordinal: number) {
  return members.find((member) => member.ordinal === ordinal);
}

function isUndisturbed(member: ObservedMember | undefined): boolean {
  const postgres = member?.postgres;
  return postgres?.writable === true || postgres?.replication?.state === "streaming";
}

function ordinalsOf(step: Step): readonly number[] {
  switch (step.kind) {
    case "startMember":
    case "stopMember":
    case "endMember":
    case "setRoles":
    case "setLimits":
    case "takeUpSettings":
    case "restartPostgres":
    case "fitMember":
    case "removeMember":
      return [step.ordinal];
    case "switchover":
      return [step.from, step.to];
    case "ensureFoundation":
    case "createMember":
    case "copyParent":
    case "clearCopy":
    case "ensureGateway":
    case "setAllowList":
    case "ensurePooler":
    case "removePooler":
    case "joinVpc":
    case "leaveVpc":
    case "ensureRelay":
    case "removeRelay":
    case "configure":
    case "removeService":
      return [];
  }
}

function bytesOf(setting: string | undefined): number | null {
  const match = /^(\d+)(MB|GB)$/.exec(setting ?? "");
  return match ? Number(match[1]) * (match[2] === "GB" ? 1024 ** 3 : 1024 ** 2) : null;
}
