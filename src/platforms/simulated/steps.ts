/** What each step changes in the model: a list of effects, so that a step can also be cut off between two of them. */
import { sameLimits } from "../../planner/limits.ts";
import type { ClusterConfiguration } from "../../planner/observed.ts";
import { differingSettings } from "../../planner/settings.ts";
import type { Step, StepOutcome } from "../../planner/step.ts";
import { promote } from "./cluster.ts";
import { startContainer } from "./model.ts";
import {
  changeMember,
  isGuarded,
  isStreaming,
  isUp,
  isWritable,
  type MemberState,
  memberOf,
  NOTHING,
  type ServiceState,
  servingLeader,
  TIMINGS,
} from "./state.ts";

export type Effect = (state: ServiceState, nowMs: number) => ServiceState;

const DONE: StepOutcome = { kind: "done" };

/** What a step comes to without touching anything: done already, on its way, or impossible; null: there is work. */
export function verdict(step: Step, state: ServiceState, nowMs: number): StepOutcome | null {
  switch (step.kind) {
    case "ensureFoundation":
      return state.foundation === "present" ? DONE : null;
    case "createMember":
      if (state.foundation !== "present") return wait("the network is not there");
      return isStarted(memberOf(state, step.ordinal)) ? DONE : null;
    case "startMember":
      return onMember(state, step.ordinal, (member) => {
        if (isStarted(member)) return DONE;
        if (!member.hasVolume) return failed(`the volume of member ${step.ordinal} is gone`);
        return member.container === "absent" ? failed(`member ${step.ordinal} has no container`) : null;
      });
    case "ensureGateway":
      if (state.foundation !== "present") return wait("the network is not there");
      return state.gateway.state === "running" ? DONE : null;
    case "setLimits":
      return onMember(state, step.ordinal, (member) => {
        if (!member.limits) return failed(`member ${step.ordinal} has no container`);
        return sameLimits(member.limits, step.limits) ? DONE : null;
      });
    case "configure":
      if (state.configuration && sameConfiguration(state.configuration, step.configuration)) return DONE;
      return state.members.some(isUp) ? null : wait("no member answers");
    case "restartPostgres":
      return onMember(state, step.ordinal, (member) => {
        if (!isUp(member)) return wait(`member ${step.ordinal} does not answer`);
        return restartPending(state, member)
          ? null
          : wait(`member ${step.ordinal} has nothing to restart for yet`);
      });
    case "switchover":
      return switchoverVerdict(step.from, step.to, state, nowMs);
    case "removeMember":
      if (!memberOf(state, step.ordinal)) return DONE;
      return state.leader?.ordinal === step.ordinal && servingLeader(state)
        ? failed(`member ${step.ordinal} leads now and is not removed`)
        : null;
    case "removeService":
      return isNothing(state) ? DONE : null;
  }
}

export function effects(step: Step): readonly Effect[] {
  switch (step.kind) {
    case "ensureFoundation":
      return [
        (state) => ({ ...state, foundation: "partial" }),
        (state) => ({ ...state, foundation: "present" }),
      ];
    case "createMember":
      return createEffects(step);
    case "startMember":
      return [
        (state) => changeMember(state, step.ordinal, (member) => ({ ...member, limits: step.limits })),
        (state, nowMs) => startContainer(state, step.ordinal, nowMs),
      ];
    case "ensureGateway":
      return [
        (state) => ({ ...state, gateway: { state: "stopped", servesAtMs: 0 } }),
        (state, nowMs) => ({
          ...state,
          gateway: { state: "running", servesAtMs: nowMs + TIMINGS.gateway },
        }),
      ];
    case "setLimits":
      return [(state) => changeMember(state, step.ordinal, (member) => ({ ...member, limits: step.limits }))];
    case "configure":
      return [(state, nowMs) => told(state, step.configuration, nowMs)];
    case "restartPostgres":
      return [
        (state, nowMs) => changeMember(state, step.ordinal, (it) => restarting(it, nowMs + TIMINGS.restart)),
      ];
    case "switchover":
      return [
        (state, nowMs) => steppedDown(state, step.from, step.to, nowMs),
        (state, nowMs) => promote(state, step.to, nowMs + TIMINGS.switchover),
      ];
    case "removeMember":
      return [
        (state) => changeMember(state, step.ordinal, withoutContainer),
        (state) => ({ ...state, members: state.members.filter(({ ordinal }) => ordinal !== step.ordinal) }),
      ];
    case "removeService":
      return [
        (state) => ({
          ...state,
          gateway: NOTHING.gateway,
          members: state.members.map(withoutContainer).filter(({ hasVolume }) => hasVolume),
        }),
        (state) => ({ ...NOTHING, foundation: state.foundation, writes: state.writes }),
        (state) => ({ ...state, foundation: "absent" }),
      ];
  }
}

type CreateMember = Extract<Step, { kind: "createMember" }>;

function createEffects({ ordinal, limits, configuration, data }: CreateMember): readonly Effect[] {
  return [
    (state) => {
      const fresh: MemberState = {
        ordinal,
        hasVolume: true,
        data: null,
        container: "absent",
        limits: null,
        bootstrap: null,
        server: { kind: "down" },
        settings: {},
        takesUpAtMs: null,
      };
      const begun = memberOf(state, ordinal)
        ? changeMember(state, ordinal, (member) => ({ ...member, hasVolume: true }))
        : { ...state, members: [...state.members, fresh].sort((a, b) => a.ordinal - b.ordinal) };
      // The memory of a cluster whose last volume is gone would keep a new one from beginning.
      return data === "new" && begun.members.every((member) => member.data === null)
        ? { ...begun, configuration: null, leader: null }
        : begun;
    },
    (state, nowMs) =>
      startContainer(
        changeMember(state, ordinal, (member) => ({
          ...member,
          limits,
          bootstrap: data === "new" ? configuration : null,
        })),
        ordinal,
        nowMs,
      ),
  ];
}

/** Everyone hears of it at the next look at the coordination service; the members do not look at the same moment. */
function told(state: ServiceState, configuration: ClusterConfiguration, nowMs: number): ServiceState {
  const members = state.members.map((member) =>
    isUp(member) || member.container === "frozen"
      ? { ...member, takesUpAtMs: nowMs + Math.min(TIMINGS.loop, 400 + 300 * member.ordinal) }
      : member,
  );
  return { ...state, configuration, members };
}

/** The old leader stops when its heir has everything, and comes back as a replica. */
function steppedDown(state: ServiceState, from: number, to: number, nowMs: number): ServiceState {
  const old = memberOf(state, from);
  const restarted = changeMember(state, from, (member) => restarting(member, nowMs + TIMINGS.switchover));
  const caughtUp = changeMember(restarted, to, (member) => ({ ...member, data: old?.data ?? member.data }));
  return { ...caughtUp, leader: null };
}

function restarting(member: MemberState, untilMs: number): MemberState {
  return { ...member, server: { kind: "starting", untilMs } };
}

function withoutContainer(member: MemberState): MemberState {
  return {
    ...member,
    container: "absent",
    limits: null,
    bootstrap: null,
    server: { kind: "down" },
    takesUpAtMs: null,
  };
}

function switchoverVerdict(from: number, to: number, state: ServiceState, nowMs: number): StepOutcome | null {
  if (state.leader?.ordinal === to) {
    return isWritable(state, nowMs) ? DONE : wait(`member ${to} takes over the lead`);
  }
  const heir = memberOf(state, to);
  if (state.leader?.ordinal !== from || !servingLeader(state)) return failed(`member ${from} does not lead`);
  if (!heir || !isStreaming(state, heir)) return failed(`member ${to} does not stream`);
  return isGuarded(state) && !state.synchronous.replicas.includes(to)
    ? failed(`member ${to} is not synchronous and may not take over`)
    : null;
}

function restartPending(state: ServiceState, member: MemberState): boolean {
  const wanted = state.configuration?.settings ?? {};
  return member.takesUpAtMs === null && differingSettings(wanted, member.settings).length > 0;
}

function isStarted(member: MemberState | undefined): boolean {
  return member?.container === "running" || member?.container === "frozen";
}

function isNothing({ foundation, gateway, members }: ServiceState): boolean {
  return foundation === "absent" && gateway.state === "absent" && members.length === 0;
}

function sameConfiguration(a: ClusterConfiguration, b: ClusterConfiguration): boolean {
  return a.syncReplicaCount === b.syncReplicaCount && differingSettings(a.settings, b.settings).length === 0;
}

function onMember(
  state: ServiceState,
  ordinal: number,
  judge: (member: MemberState) => StepOutcome | null,
): StepOutcome | null {
  const member = memberOf(state, ordinal);
  return member ? judge(member) : failed(`there is no member ${ordinal}`);
}

function wait(why: string): StepOutcome {
  return { kind: "wait", why };
}

function failed(why: string): StepOutcome {
  return { kind: "failed", why };
}
