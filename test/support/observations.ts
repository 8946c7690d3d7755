/** Observed services for tests of the planner: a settled one, and what differs. */
import type { Size } from "../../src/contract/size.ts";
import type { DesiredService } from "../../src/planner/desired.ts";
import { memberLimits } from "../../src/planner/limits.ts";
import type { ObservedMember, ObservedService } from "../../src/planner/observed.ts";
import { settingsForSize } from "../../src/planner/settings.ts";
import { SMALL } from "./services.ts";

export const NOTHING: ObservedService = {
  foundation: "absent",
  gateway: { state: "absent", serving: false },
  members: [],
  configuration: null,
};

export function primary(ordinal: number, size: Size = SMALL): ObservedMember {
  return {
    ordinal,
    hasVolume: true,
    container: "running",
    limits: memberLimits(size),
    postgres: {
      role: "primary",
      writable: true,
      timeline: 1,
      settings: settingsForSize(size),
      replication: null,
    },
  };
}

export function replica(
  ordinal: number,
  kind: "async" | "sync" = "async",
  size: Size = SMALL,
): ObservedMember {
  return {
    ordinal,
    hasVolume: true,
    container: "running",
    limits: memberLimits(size),
    postgres: {
      role: "replica",
      writable: false,
      timeline: 1,
      settings: settingsForSize(size),
      replication: { state: "streaming", synchronous: kind === "sync", lagBytes: 0 },
    },
  };
}

/** Runs, and its PostgreSQL does not answer. */
export function silent(ordinal: number): ObservedMember {
  return { ...primary(ordinal), postgres: null };
}

export function stopped(ordinal: number): ObservedMember {
  return { ...silent(ordinal), container: "stopped" };
}

export function frozen(ordinal: number): ObservedMember {
  return { ...silent(ordinal), container: "frozen" };
}

/** A volume alone. */
export function volume(ordinal: number): ObservedMember {
  return { ordinal, hasVolume: true, container: "absent", limits: null, postgres: null };
}

export function catchingUp(ordinal: number): ObservedMember {
  const member = replica(ordinal);
  if (!member.postgres) return member;
  const replication = { state: "catching up", synchronous: false, lagBytes: 4096 } as const;
  return { ...member, postgres: { ...member.postgres, replication } };
}

/** Everything stands, with these members, told what is wanted of them. */
export function standing(
  desired: DesiredService,
  members: readonly ObservedMember[],
  changes: Partial<ObservedService> = {},
): ObservedService {
  return {
    foundation: "present",
    gateway: { state: "running", serving: members.some(({ postgres }) => postgres?.writable) },
    members,
    configuration: {
      settings: settingsForSize(desired.size),
      syncReplicaCount: desired.syncReplicaCount,
    },
    ...changes,
  };
}
