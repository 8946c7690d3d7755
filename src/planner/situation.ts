/** What every rule of the planner decides about, and the words that rules share. */
import type { DesiredService } from "./desired.ts";
import { largerOfBoth, type MemberLimits, memberLimits, startLimits } from "./limits.ts";
import type { ClusterConfiguration, ObservedMember, ObservedService } from "./observed.ts";
import { type PostgresSettings, settingsFor } from "./settings.ts";
import type { Step } from "./step.ts";
import type { WaitReason } from "./waits.ts";

export type Plan =
  | { readonly kind: "step"; readonly step: Step }
  /** Nothing to do until something outside has happened; `detail` tells which. */
  | { readonly kind: "wait"; readonly reason: WaitReason; readonly detail: string }
  /** Everything that is wanted is true. For a service that shall be absent: nothing of it is left. */
  | { readonly kind: "settled" };

/** A rule: its sentence for the reader, and what it decides; null where it has nothing to say. */
export interface Rule {
  readonly sentence: string;
  readonly decide: (situation: Situation) => Plan | null;
}

/** What is wanted and observed, with what every rule would otherwise derive again. */
export interface Situation {
  readonly desired: DesiredService;
  readonly observed: ObservedService;
  readonly limits: MemberLimits;
  readonly settings: PostgresSettings;
  readonly configuration: ClusterConfiguration;
  readonly primary: ObservedMember | null;
  readonly replicas: readonly ObservedMember[];
  readonly wantedMembers: number;
  /** It was stopped, and is to run again: the members come back in the order that loses nothing. */
  readonly resuming: boolean;
}

export function situate(desired: DesiredService, observed: ObservedService): Situation {
  const settings = settingsFor(desired.size, desired.parameters);
  const primary =
    observed.members.find((member) => member.postgres?.role === "primary" && member.postgres.writable) ??
    null;
  return {
    desired,
    observed,
    limits: memberLimits(desired.size),
    settings,
    configuration: { settings, syncReplicaCount: desired.syncReplicaCount },
    primary,
    replicas: observed.members.filter((member) => member !== primary),
    wantedMembers: 1 + desired.replicaCount,
    resuming: desired.settledPower === "stopped",
  };
}

export function step(next: Step): Plan {
  return { kind: "step", step: next };
}

export function wait(reason: WaitReason, detail: string): Plan {
  return { kind: "wait", reason, detail };
}

/** Paused, or cut off from the others: whatever it does, nobody hears of it. */
export function isLost({ container }: ObservedMember): boolean {
  return container === "frozen" || container === "cut off";
}

export function isRunning({ container }: ObservedMember): boolean {
  return container === "running";
}

export function isDown({ container }: ObservedMember): boolean {
  return container === "absent" || container === "stopped";
}

/** Those that can be brought back. */
export function downMembers({ members }: ObservedService): readonly ObservedMember[] {
  return members.filter((member) => member.hasVolume && isDown(member));
}

/** What may lead before what cannot, the one that ended last first. */
export function byEnd(a: ObservedMember, b: ObservedMember): number {
  const rank = ({ hasDatabase }: ObservedMember) => (hasDatabase === false ? 1 : 0);
  return rank(a) - rank(b) || (b.endedAtMs ?? 0) - (a.endedAtMs ?? 0) || a.ordinal - b.ordinal;
}

export function streams({ postgres }: ObservedMember): boolean {
  return postgres?.replication?.state === "streaming";
}

/** Nothing that was acknowledged is lost where it takes over. */
export function isSynchronous({ postgres }: ObservedMember): boolean {
  return postgres?.replication?.synchronous === true && postgres.replication.trusted;
}

/** The best heir first: synchronous ones, then the least lag, then the lowest ordinal. */
export function byHeirship(a: ObservedMember, b: ObservedMember): number {
  const rank = (member: ObservedMember) => (isSynchronous(member) ? 0 : 1);
  const lag = (member: ObservedMember) => member.postgres?.replication?.lagBytes ?? Number.MAX_SAFE_INTEGER;
  return rank(a) - rank(b) || lag(a) - lag(b) || a.ordinal - b.ordinal;
}

/** The least worth keeping first: what does not stream, then the highest ordinal. */
export function byWorth(a: ObservedMember, b: ObservedMember): number {
  const worth = (member: ObservedMember) => (streams(member) ? 1 : 0);
  return worth(a) - worth(b) || b.ordinal - a.ordinal;
}

export function lowestFreeOrdinal({ members }: ObservedService): number {
  const taken = new Set(members.map((member) => member.ordinal));
  let ordinal = 0;
  while (taken.has(ordinal)) ordinal += 1;
  return ordinal;
}

/** Starts a member that is down, or makes its container again over what its volume holds. */
export function bring({ desired, observed, limits, configuration }: Situation, member: ObservedMember): Plan {
  const { ordinal } = member;
  if (member.container === "stopped") {
    const current = member.limits ?? limits;
    return step({ kind: "startMember", ordinal, limits: largerOfBoth(current, startLimits(limits)) });
  }
  const { settledGeneration, forkedFrom } = desired;
  const first = settledGeneration === 0 && forkedFrom === null && observed.members.length === 1;
  const data = first ? "new" : "copy";
  return step({ kind: "createMember", ordinal, limits: startLimits(limits), configuration, data });
}
