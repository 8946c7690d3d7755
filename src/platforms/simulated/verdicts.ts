/** What a step comes to before anything is touched, as a platform asks first. */
import { sameLimits } from "../../planner/limits.ts";
import type { ClusterConfiguration } from "../../planner/observed.ts";
import { differingSettings } from "../../planner/settings.ts";
import type { Step, StepOutcome } from "../../planner/step.ts";
import {
  isGuarded,
  isStreaming,
  isUp,
  isWritable,
  type MemberState,
  memberOf,
  type ServiceState,
  servingLeader,
} from "./state.ts";

const DONE: StepOutcome = { kind: "done" };

/**
 * What a step comes to without touching anything: done already, on its way, or impossible; null: there is work.
 *
 * @param parent the service that the step copies from, where it does
 */
export function verdict(
  step: Step,
  state: ServiceState,
  parent: ServiceState | null,
  nowMs: number,
): StepOutcome | null {
  switch (step.kind) {
    case "ensureFoundation":
      return state.foundation === "present" ? DONE : null;
    case "createMember":
      if (state.foundation !== "present") return wait("the network is not there");
      if (isStarted(memberOf(state, step.ordinal))) return DONE;
      return step.data === "fork" && !memberOf(state, step.ordinal)?.data
        ? failed(`the volume of member ${step.ordinal} holds no copy`)
        : null;
    case "copyParent":
      return copyVerdict(state, parent, nowMs);
    case "clearCopy":
      return state.copy.state === "absent" ? DONE : null;
    case "stopMember":
      return stopVerdict(memberOf(state, step.ordinal));
    case "endMember":
      return onMember(state, step.ordinal, (member) => (isStarted(member) ? null : DONE));
    case "startMember":
      return onMember(state, step.ordinal, (member) => {
        if (isStarted(member)) return DONE;
        if (!member.hasVolume) return failed(`the volume of member ${step.ordinal} is gone`);
        return member.container === "absent" ? failed(`member ${step.ordinal} has no container`) : null;
      });
    case "ensureGateway":
      if (state.foundation !== "present") return wait("the network is not there");
      return state.gateway.state === "running" ? DONE : null;
    case "setAllowList":
      if (state.gateway.state !== "running") return wait("the gateway does not run");
      return sameList(state.gateway.allowList, step.allowList) &&
        sameList(state.vpc.ranges, step.vpcRanges ?? [])
        ? DONE
        : null;
    case "joinVpc":
      if (state.gateway.state !== "running") return wait("the gateway does not run");
      return state.vpc.joined.includes(step.vpcId) ? DONE : null;
    case "leaveVpc":
      return state.vpc.joined.includes(step.vpcId) ? null : DONE;
    case "ensureRelay":
      return relayOf(state, step.peeringId)?.running ? DONE : null;
    case "removeRelay":
      return relayOf(state, step.peeringId) ? null : DONE;
    case "ensurePooler":
      if (state.foundation !== "present") return wait("the network is not there");
      return state.pooler.state === "running" ? DONE : null;
    case "removePooler":
      return state.pooler.state === "absent" ? DONE : null;
    case "setRoles":
      if (state.leader?.ordinal !== step.ordinal || !isWritable(state, nowMs))
        return wait(`member ${step.ordinal} does not lead now`);
      return state.roles?.current && state.roles.passwordVersion === step.passwordVersion ? DONE : null;
    case "setLimits":
      return onMember(state, step.ordinal, (member) => {
        if (!member.limits) return failed(`member ${step.ordinal} has no container`);
        return sameLimits(member.limits, step.limits) ? DONE : null;
      });
    case "configure":
      if (state.configuration && sameConfiguration(state.configuration, step.configuration)) return DONE;
      return state.members.some(isUp) ? null : wait("no member answers");
    case "takeUpSettings":
      return onMember(state, step.ordinal, (member) => {
        if (!isUp(member)) return wait(`member ${step.ordinal} does not answer`);
        if (differingSettings(step.settings, member.settings).length === 0) return DONE;
        return member.forgetful ? null : wait(`member ${step.ordinal} takes up its settings`);
      });
    case "restartPostgres":
      return onMember(state, step.ordinal, (member) => {
        if (!isUp(member)) return wait(`member ${step.ordinal} does not answer`);
        return member.forgetful || restartPending(state, member)
          ? null
          : wait(`member ${step.ordinal} has nothing to restart for yet`);
      });
    case "fitMember":
      return onMember(state, step.ordinal, (member) => {
        if (!isUp(member)) return wait(`member ${step.ordinal} does not answer`);
        return differingSettings(step.settings, member.settings).length === 0 ? DONE : null;
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

/** A clean end takes its time; a container that is paused hears nothing of it. */
function stopVerdict(member: MemberState | undefined): StepOutcome | null {
  if (member?.container === "frozen") return failed(`member ${member.ordinal} is frozen`);
  if (!member || !isStarted(member)) return DONE;
  return member.server.kind === "stopping" ? wait(`member ${member.ordinal} is ending`) : null;
}

function copyVerdict({ copy }: ServiceState, parent: ServiceState | null, nowMs: number): StepOutcome | null {
  if (copy.state === "running" || copy.state === "done") return DONE;
  if (!parent || parent.members.length === 0) return failed("the parent is not there");
  return isWritable(parent, nowMs) ? null : failed("the parent has no primary");
}

function restartPending(state: ServiceState, member: MemberState): boolean {
  const wanted = state.configuration?.settings ?? {};
  return member.takesUpAtMs === null && differingSettings(wanted, member.settings).length > 0;
}

function isStarted(member: MemberState | undefined): boolean {
  return member !== undefined && member.container !== "absent" && member.container !== "stopped";
}

function isNothing({ upstream, foundation, gateway, pooler, vpc, copy, members }: ServiceState): boolean {
  const own = [gateway.state, pooler.state, copy.state, ...(upstream ? [] : [foundation])];
  const rests = own.every((state) => state === "absent");
  return rests && members.length === 0 && vpc.relays.length === 0;
}

function relayOf({ vpc }: ServiceState, peeringId: string) {
  return vpc.relays.find((relay) => relay.peeringId === peeringId);
}

function sameList(a: readonly string[] | null, b: readonly string[]): boolean {
  return a !== null && a.length === b.length && a.every((entry, index) => entry === b[index]);
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
