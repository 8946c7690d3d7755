/** What users are told: status, the reason for it in a sentence, and conditions. Pure, like the planner. */
import type { Condition, ConditionType } from "../contract/conditions.ts";
import type { InForce, MemberInForce } from "../contract/in-force.ts";
import type { ServiceStatus } from "../contract/service.ts";
import type { DesiredService, DesiredVpc } from "./desired.ts";
import type { ObservedAttachment, ObservedMember, ObservedService } from "./observed.ts";
import { isSynchronous, type Plan, type Situation, situate, streams } from "./situation.ts";
import { describeStep } from "./step.ts";
import { WAITS, type WaitReason } from "./waits.ts";

export interface Assessment {
  readonly status: ServiceStatus;
  /** "Why is it not READY yet?" in one sentence. */
  readonly statusReason: string;
  readonly conditions: readonly Condition[];
  /** null where nothing could be seen. */
  readonly inForce: InForce | null;
}

export interface Waiting {
  readonly reason: WaitReason;
  readonly since: Date;
}

type Verdict = Omit<Condition, "since">;

export function assess(
  desired: DesiredService,
  observed: ObservedService,
  plan: Plan,
  waiting: Waiting | null,
  previous: readonly Condition[],
  now: Date,
): Assessment {
  const situation = situate(desired, observed);
  const overdue =
    waiting !== null && now.getTime() - waiting.since.getTime() >= WAITS[waiting.reason].deadlineMs;
  const verdicts =
    desired.readsFrom === null
      ? [available(situation), replicated(situation), settled(situation, plan, overdue)]
      : [readable(situation), following(situation), settled(situation, plan, overdue)];
  return {
    status: status(situation, plan, overdue),
    statusReason: statusReason(desired, verdicts),
    conditions: verdicts.map((verdict) => sinceWhen(verdict, previous, now)),
    inForce: inForce(situation),
  };
}

/** What is told when the platform itself does not answer, so that nothing about the service is known. */
export function assessUnobserved(
  desired: DesiredService,
  why: string,
  previous: readonly Condition[],
  now: Date,
): Assessment {
  const message = `The platform does not answer: ${why}`;
  const types: readonly ConditionType[] = ["Available", "Replicated", "Settled"];
  const conditions = types.map((type) =>
    sinceWhen({ type, status: "Unknown", reason: "PlatformUnreachable", message }, previous, now),
  );
  return { status: unobservedStatus(desired), statusReason: message, conditions, inForce: null };
}

function unobservedStatus({
  presence,
  power,
  settledPower,
  settledGeneration,
}: DesiredService): ServiceStatus {
  if (presence === "absent") return "DELETING";
  if (power === "stopped") return settledPower === "stopped" ? "PAUSED" : "PAUSING";
  if (settledPower === "stopped") return "RESUMING";
  return settledGeneration === 0 ? "CONFIGURING" : "UNSTABLE";
}

function inForce({ desired, primary, observed }: Situation): InForce {
  const { gateway, members, pooler, roles, vpc } = observed;
  return {
    settings: primary?.postgres ? { ...primary.postgres.settings } : null,
    passwordVersion: roles?.passwordVersion ?? null,
    allowList: gateway.allowList ? [...gateway.allowList] : null,
    primary: primary?.ordinal ?? null,
    members: members.map(memberInForce),
    pooler: pooler.serving,
    ...(gateway.state === "running" && vpc ? attachedTo(desired.vpc, vpc) : {}),
  };
}

/** One that is to be left counts until it is left; one that is wanted, once who comes from there is let in. */
function attachedTo(wanted: DesiredVpc | null, { joined, ranges, relays }: ObservedAttachment) {
  const left = joined.find((vpcId) => vpcId !== wanted?.vpcId);
  const open = wanted && joined.includes(wanted.vpcId) && ranges.includes(wanted.cidr);
  const vpcId = left ?? (open ? wanted.vpcId : null);
  if (vpcId === null) return {};
  const peerings = relays.flatMap(({ peeringId, running }) => (running ? [peeringId] : []));
  return { vpc: { vpcId, peerings } };
}

function memberInForce({ ordinal, container, postgres }: ObservedMember): MemberInForce {
  const role = postgres?.role ?? null;
  switch (container) {
    case "absent":
    case "stopped":
      return { ordinal, state: "stopped", role: null };
    case "running":
      return { ordinal, state: postgres ? "running" : "silent", role };
    case "frozen":
    case "cut off":
      return { ordinal, state: container, role };
  }
}

function status(situation: Situation, plan: Plan, overdue: boolean): ServiceStatus {
  const { desired, primary, resuming } = situation;
  if (desired.presence === "absent") return "DELETING";
  if (desired.power === "stopped") {
    return plan.kind === "settled" || (plan.kind === "step" && restsStill(situation)) ? "PAUSED" : "PAUSING";
  }
  if (plan.kind === "settled") return "READY";
  if (resuming) return "RESUMING";
  if (desired.settledGeneration === 0) return "CONFIGURING";
  const changing = desired.settledGeneration < desired.generation;
  const full = plan.kind === "wait" && plan.reason === "storage-full";
  const unplanned = full || (primary === null && desired.readsFrom === null && overdue);
  return changing && !unplanned ? "UPGRADING" : "UNSTABLE";
}

/** Whether the step is one that wakes nobody, such as telling the endpoint a new list of addresses. */
function restsStill({ desired, observed: { members, pooler } }: Situation): boolean {
  const resting = members.every(({ container }) => container === "absent" || container === "stopped");
  return desired.settledPower === "stopped" && resting && pooler.state === "absent";
}

/** The first thing that is wrong; of a service that stops, what is left to do comes before what that has ended already. */
function statusReason({ power }: DesiredService, verdicts: readonly Verdict[]): string {
  const inOrder = power === "stopped" ? verdicts.toReversed() : verdicts;
  const worst = inOrder.find(({ status }) => status === "False");
  return worst ? worst.message : "Everything that was asked for is in force.";
}

function available({ desired, primary, observed }: Situation): Verdict {
  const type = "Available";
  if (!primary && desired.power === "stopped")
    return { type, status: "False", reason: "Stopped", message: "The service was stopped." };
  if (!primary) return { type, status: "False", reason: "NoPrimary", message: "No member takes writes." };
  if (observed.gateway.state !== "running") return endpointClosed(observed);
  if (!observed.gateway.serving) {
    const message = "The endpoint does not lead to the primary yet.";
    return { type, status: "False", reason: "EndpointBlind", message };
  }
  if (primary.postgres?.storage === "low") {
    const message = `The disk of member ${primary.ordinal} is full: it takes no writes until space is freed.`;
    return { type, status: "False", reason: "StorageFull", message };
  }
  return {
    type,
    status: "True",
    reason: "PrimaryWritable",
    message: `Member ${primary.ordinal} takes writes.`,
  };
}

function endpointClosed({ gateway }: ObservedService): Verdict {
  const problem = gateway.problem ? `: ${gateway.problem}` : "";
  const message = `The endpoint is not open${problem}.`;
  return { type: "Available", status: "False", reason: "EndpointClosed", message };
}

/** Of members that only read: one that serves is enough, whether it follows its primary at this moment or not. */
function readable({ observed }: Situation): Verdict {
  const type = "Available";
  const serving = observed.members.filter(({ postgres }) => postgres !== null).length;
  if (serving === 0) return { type, status: "False", reason: "NoMember", message: "No member can be read." };
  if (observed.gateway.state !== "running") return endpointClosed(observed);
  if (!observed.gateway.serving) {
    const message = "The endpoint does not lead to a member yet.";
    return { type, status: "False", reason: "EndpointBlind", message };
  }
  const message = `${serving} of ${observed.members.length} members can be read.`;
  return { type, status: "True", reason: "MembersReadable", message };
}

function following({ observed, replicas, wantedMembers }: Situation): Verdict {
  const type = "Replicated";
  const streaming = observed.members.filter(streams).length;
  const message = `${streaming} of ${wantedMembers} members stream from the primary.`;
  return streaming >= wantedMembers
    ? { type, status: "True", reason: "MembersStreaming", message }
    : { type, status: "False", reason: "MembersMissing", message: message + withoutRoom(replicas) };
}

function replicated({ desired, replicas }: Situation): Verdict {
  const type = "Replicated";
  if (desired.power === "stopped")
    return { type, status: "Unknown", reason: "Stopped", message: "Replicas come back with the service." };
  const streaming = replicas.filter(streams);
  const synchronous = streaming.filter(isSynchronous);
  const message =
    `${streaming.length} of ${desired.replicaCount} replicas stream, ` +
    `${synchronous.length} of ${desired.syncReplicaCount} synchronously.`;
  const met = streaming.length >= desired.replicaCount && synchronous.length >= desired.syncReplicaCount;
  return met
    ? { type, status: "True", reason: "ReplicasStreaming", message }
    : { type, status: "False", reason: "ReplicasMissing", message: message + withoutRoom(replicas) };
}

function withoutRoom(replicas: readonly ObservedMember[]): string {
  const full = replicas.find(({ postgres }) => postgres?.storage === "low");
  return full ? ` The disk of member ${full.ordinal} is full.` : "";
}

function settled({ observed: { copy } }: Situation, plan: Plan, overdue: boolean): Verdict {
  const type = "Settled";
  switch (plan.kind) {
    case "settled":
      return { type, status: "True", reason: "AsAsked", message: "Nothing is left to do." };
    case "step": {
      const again = plan.step.kind === "copyParent" && copy.state === "failed";
      const before = again ? `; the try before failed: ${copy.detail ?? "nobody knows why"}` : "";
      return { type, status: "False", reason: "Working", message: `${describeStep(plan.step)}${before}.` };
    }
    case "wait": {
      const message = `${WAITS[plan.reason].sentence}: ${plan.detail}`;
      return overdue
        ? {
            type,
            status: "False",
            reason: "Overdue",
            message: `${message}; this takes longer than it should.`,
          }
        : { type, status: "False", reason: "Waiting", message: `${message}.` };
    }
  }
}

/** A condition keeps the time at which its status last changed. */
function sinceWhen(verdict: Verdict, previous: readonly Condition[], now: Date): Condition {
  const before = previous.find(({ type }) => type === verdict.type);
  const since = before?.status === verdict.status ? before.since : now.toISOString();
  return { ...verdict, since };
}
