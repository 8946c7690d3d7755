/** What each step changes in the model: a list of effects, so that a step can also be cut off between two of them. */
import type { ClusterConfiguration, ObservedAttachment } from "../../planner/observed.ts";
import type { Step } from "../../planner/step.ts";
import { promote, replicate } from "./cluster.ts";
import { ownIdentity, startContainer, stoppedAt } from "./model.ts";
import {
  changeMember,
  isUp,
  type MemberState,
  memberOf,
  NOTHING,
  type ServiceState,
  TIMINGS,
} from "./state.ts";

export type Effect = (state: ServiceState, nowMs: number) => ServiceState;

export function effects(step: Step): readonly Effect[] {
  switch (step.kind) {
    case "ensureFoundation":
      return [
        (state) => ({ ...state, foundation: "partial" }),
        (state) => ({ ...state, foundation: "present" }),
      ];
    case "createMember":
      return createEffects(step);
    case "copyParent":
      return copyEffects(step);
    case "clearCopy":
      return [(state) => ({ ...state, copy: NOTHING.copy })];
    case "stopMember":
      return [(state, nowMs) => stopping(state, step.ordinal, nowMs + TIMINGS.stop)];
    case "endMember":
      return [(state, nowMs) => changeMember(state, step.ordinal, (member) => stoppedAt(member, nowMs))];
    case "startMember":
      return [
        (state) => changeMember(state, step.ordinal, (member) => ({ ...member, limits: step.limits })),
        (state, nowMs) => startContainer(state, step.ordinal, nowMs),
      ];
    case "ensureGateway":
      return [
        (state) => ({
          ...state,
          gateway: { state: "stopped", servesAtMs: 0, allowList: step.allowList },
          vpc: { ...state.vpc, joined: [], ranges: [] },
        }),
        (state, nowMs) => ({
          ...state,
          gateway: { ...state.gateway, state: "running", servesAtMs: nowMs + TIMINGS.gateway },
        }),
      ];
    case "setAllowList":
      return [
        (state) => ({ ...state, gateway: { ...state.gateway, allowList: null } }),
        (state) => ({
          ...state,
          gateway: { ...state.gateway, allowList: step.allowList },
          vpc: { ...state.vpc, ranges: step.vpcRanges ?? [] },
        }),
      ];
    case "joinVpc":
    case "leaveVpc":
    case "ensureRelay":
    case "removeRelay":
      return attachmentEffects(step);
    case "ensurePooler":
      return [
        (state) => ({ ...state, pooler: { state: "stopped", servesAtMs: 0 } }),
        (state, nowMs) => ({
          ...state,
          pooler: { state: "running", servesAtMs: nowMs + TIMINGS.pooler },
        }),
      ];
    case "removePooler":
      return [
        (state) => ({ ...state, pooler: { state: "stopped", servesAtMs: 0 } }),
        (state) => ({ ...state, pooler: NOTHING.pooler }),
      ];
    case "setRoles":
      return [(state) => ({ ...state, roles: { current: true, passwordVersion: step.passwordVersion } })];
    case "setLimits":
      return [(state) => changeMember(state, step.ordinal, (member) => ({ ...member, limits: step.limits }))];
    case "configure":
      return [(state, nowMs) => told(state, step.configuration, nowMs)];
    case "takeUpSettings":
      return [(state, nowMs) => changeMember(state, step.ordinal, (it) => reminded(it, nowMs))];
    case "restartPostgres":
      return [
        (state, nowMs) =>
          changeMember(state, step.ordinal, (it) =>
            it.forgetful ? reminded(it, nowMs) : restarting(it, nowMs + TIMINGS.restart),
          ),
      ];
    case "fitMember":
      return [(state, nowMs) => fitted(state, step, nowMs)];
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
          pooler: NOTHING.pooler,
          vpc: NOTHING.vpc,
          copy: NOTHING.copy,
          members: state.members.map(withoutContainer).filter(({ hasVolume }) => hasVolume),
        }),
        ({ foundation, upstream, writes }) => ({ ...NOTHING, foundation, upstream, writes }),
        (state) => (state.upstream ? state : { ...state, foundation: "absent" }),
      ];
  }
}

type AttachmentStep = Extract<Step, { kind: "joinVpc" | "leaveVpc" | "ensureRelay" | "removeRelay" }>;

function attachmentEffects(step: AttachmentStep): readonly Effect[] {
  const changed =
    (change: (vpc: ObservedAttachment) => ObservedAttachment): Effect =>
    (state) => ({ ...state, vpc: change(state.vpc) });
  const withRelay = (peeringId: string, running: boolean) =>
    changed((vpc) => ({
      ...vpc,
      relays: [...vpc.relays.filter((relay) => relay.peeringId !== peeringId), { peeringId, running }],
    }));
  switch (step.kind) {
    case "joinVpc":
      return [changed((vpc) => ({ ...vpc, joined: [...vpc.joined, step.vpcId] }))];
    case "leaveVpc":
      return [changed((vpc) => ({ ...vpc, joined: vpc.joined.filter((vpcId) => vpcId !== step.vpcId) }))];
    case "ensureRelay":
      return [withRelay(step.peeringId, false), withRelay(step.peeringId, true)];
    case "removeRelay":
      return [
        withRelay(step.peeringId, false),
        changed((vpc) => ({
          ...vpc,
          relays: vpc.relays.filter(({ peeringId }) => peeringId !== step.peeringId),
        })),
      ];
  }
}

type CreateMember = Extract<Step, { kind: "createMember" }>;

function createEffects({ ordinal, limits, configuration, data }: CreateMember): readonly Effect[] {
  return [
    (state) => {
      const begun = withVolume(state, ordinal);
      // The memory of a cluster whose last volume is gone would keep a new one from beginning.
      return data === "new" && begun.members.every((member) => member.data === null)
        ? { ...begun, configuration: null, leader: null, systemId: null, roles: null }
        : begun;
    },
    (state, nowMs) => {
      const made = changeMember(state, ordinal, (member) => ({
        ...member,
        limits,
        bootstrap: data === "new" ? configuration : null,
        ...(state.upstream ? { settings: configuration.settings } : {}),
      }));
      const begun = data === "fork" ? ofItsOwn(made, ordinal, configuration, nowMs) : made;
      return startContainer(begun, ordinal, nowMs);
    },
  ];
}

function withVolume(state: ServiceState, ordinal: number): ServiceState {
  if (memberOf(state, ordinal))
    return changeMember(state, ordinal, (member) => ({ ...member, hasVolume: true }));
  const fresh: MemberState = {
    ordinal,
    hasVolume: true,
    data: null,
    container: "absent",
    endedAtMs: null,
    limits: null,
    bootstrap: null,
    server: { kind: "down" },
    settings: {},
    takesUpAtMs: null,
    forgetful: false,
  };
  return { ...state, members: [...state.members, fresh].sort((a, b) => a.ordinal - b.ordinal) };
}

/** What was copied from a parent becomes a database of the service's own, once. */
function ofItsOwn(
  state: ServiceState,
  ordinal: number,
  configuration: ClusterConfiguration,
  nowMs: number,
): ServiceState {
  const data = memberOf(state, ordinal)?.data;
  if (!data || state.systemId !== null) return state;
  const writes = { ...NOTHING.writes, timeline: data.timeline, acknowledged: data.position };
  return {
    ...state,
    ...ownIdentity(nowMs),
    configuration,
    synchronous: { leader: ordinal, replicas: [] },
    writes,
  };
}

/** What has been copied once is not copied again: the volume may have been used since. */
function copyEffects({ ordinal, parentId }: Extract<Step, { kind: "copyParent" }>): readonly Effect[] {
  return [
    (state) => withVolume(state, ordinal),
    (state, nowMs) => ({
      ...state,
      copy: memberOf(state, ordinal)?.data
        ? { state: "done" }
        : { state: "running", parentId, ordinal, untilMs: nowMs + TIMINGS.copyParent },
    }),
  ];
}

/** A server that ends lets those that follow it have everything first. */
function stopping(state: ServiceState, ordinal: number, untilMs: number): ServiceState {
  const told = state.leader?.ordinal === ordinal ? replicate(state) : state;
  return changeMember(told, ordinal, (member) => ({ ...member, server: { kind: "stopping", untilMs } }));
}

/** Everyone hears of it at the next look at the coordination service; the members do not look at the same moment. */
function told(state: ServiceState, configuration: ClusterConfiguration, nowMs: number): ServiceState {
  const members = state.members.map((member) =>
    (isUp(member) || member.container === "frozen") && !member.forgetful
      ? { ...member, takesUpAtMs: nowMs + Math.min(TIMINGS.loop, 400 + 300 * member.ordinal) }
      : member,
  );
  return { ...state, configuration, members };
}

function reminded(member: MemberState, nowMs: number): MemberState {
  return { ...member, forgetful: false, takesUpAtMs: nowMs + TIMINGS.loop };
}

/** Told to one alone; what needs it is in force after its restart, the rest at once. */
function fitted(
  state: ServiceState,
  { ordinal, settings, restart }: Extract<Step, { kind: "fitMember" }>,
  nowMs: number,
): ServiceState {
  const fit = changeMember(state, ordinal, (member) => ({ ...member, settings }));
  return restart ? changeMember(fit, ordinal, (member) => restarting(member, nowMs + TIMINGS.restart)) : fit;
}

/** The old leader stops when its heir has everything, and comes back as a replica. */
function steppedDown(state: ServiceState, from: number, to: number, nowMs: number): ServiceState {
  const old = memberOf(state, from);
  const restarted = changeMember(state, from, (member) => restarting(member, nowMs + TIMINGS.switchover));
  const caughtUp = changeMember(restarted, to, (member) => ({ ...member, data: old?.data ?? member.data }));
  return { ...caughtUp, leader: null };
}

function restarting(member: MemberState, untilMs: number): MemberState {
  return { ...member, forgetful: false, server: { kind: "starting", untilMs } };
}

function withoutContainer(member: MemberState): MemberState {
  return {
    ...member,
    container: "absent",
    endedAtMs: null,
    limits: null,
    bootstrap: null,
    server: { kind: "down" },
    takesUpAtMs: null,
    forgetful: false,
  };
}
