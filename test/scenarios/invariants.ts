/** What no step of any plan may ever do, whatever was wanted and whatever happened before. */
import type { ObservedMember, ObservedService } from "../../src/planner/observed.ts";
import type { Step } from "../../src/planner/step.ts";
import { type ServiceState, servingLeader } from "../../src/platforms/simulated/state.ts";

/** Throws with the law that the step breaks. */
export function checkStep(
  step: Step,
  observed: ObservedService,
  state: ServiceState,
  settledGeneration: number,
): void {
  const broken = LAWS.filter(({ holds }) => !holds(step, observed, state, settledGeneration));
  if (broken.length === 0) return;
  const laws = broken.map(({ law }) => law).join(" ");
  throw new Error(`${laws}\n${JSON.stringify(step)}\n${JSON.stringify(observed, null, 1)}`);
}

interface Law {
  readonly law: string;
  readonly holds: (
    step: Step,
    observed: ObservedService,
    state: ServiceState,
    settledGeneration: number,
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
      if (step.kind !== "removeMember") return true;
      const victim = state.members.find(({ ordinal }) => ordinal === step.ordinal);
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
    law: "A new database begins only where the service never was ready and no volume holds data.",
    holds: (step, _observed, state, settledGeneration) =>
      step.kind !== "createMember" ||
      step.data !== "new" ||
      (settledGeneration === 0 &&
        state.members.every((member) => member.ordinal === step.ordinal || member.data === null)),
  },
  {
    law: "No member is disturbed while another one is.",
    holds: (step, observed) => {
      if (step.kind !== "restartPostgres" && step.kind !== "switchover" && step.kind !== "removeMember") {
        return true;
      }
      const target = step.kind === "switchover" ? step.from : step.ordinal;
      const disturbs = isUndisturbed(memberAt(observed, target));
      const others = observed.members.filter(({ ordinal }) => ordinal !== target);
      return !disturbs || others.every(isUndisturbed);
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

function memberAt({ members }: ObservedService, ordinal: number): ObservedMember | undefined {
  return members.find((member) => member.ordinal === ordinal);
}

function isUndisturbed(member: ObservedMember | undefined): boolean {
  const postgres = member?.postgres;
  return postgres?.writable === true || postgres?.replication?.state === "streaming";
}

function ordinalsOf(step: Step): readonly number[] {
  switch (step.kind) {
    case "startMember":
    case "setLimits":
    case "restartPostgres":
    case "removeMember":
      return [step.ordinal];
    case "switchover":
      return [step.from, step.to];
    case "ensureFoundation":
    case "createMember":
    case "ensureGateway":
    case "configure":
    case "removeService":
      return [];
  }
}

function bytesOf(setting: string | undefined): number | null {
  const match = /^(\d+)(MB|GB)$/.exec(setting ?? "");
  return match ? Number(match[1]) * (match[2] === "GB" ? 1024 ** 3 : 1024 ** 2) : null;
}
