/** Observed services for tests of the planner: a settled one, and what differs. */
import type { Size } from "../../src/contract/size.ts";
import type { DesiredService } from "../../src/planner/desired.ts";
import { memberLimits } from "../../src/planner/limits.ts";
import { NOTHING, type ObservedMember, type ObservedService } from "../../src/planner/observed.ts";
import { type PostgresSettings, settingsFor } from "../../src/planner/settings.ts";
import { SMALL } from "./services.ts";

export { NOTHING };

export function primary(ordinal: number, size: Size = SMALL): ObservedMember {
  return {
    ordinal,
    hasVolume: true,
    container: "running",
    endedAtMs: null,
    limits: memberLimits(size),
    postgres: {
      role: "primary",
      writable: true,
      timeline: 1,
      settings: settingsFor(size, {}),
      storage: "enough",
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
    endedAtMs: null,
    limits: memberLimits(size),
    postgres: {
      role: "replica",
      writable: false,
      timeline: 1,
      settings: settingsFor(size, {}),
      storage: "enough",
      replication: {
        state: "streaming",
        synchronous: kind === "sync",
        trusted: kind === "sync",
        lagBytes: 0,
      },
    },
  };
}

/** Runs, and its PostgreSQL does not answer. */
export function silent(ordinal: number): ObservedMember {
  return { ...primary(ordinal), postgres: null };
}

/** @param endedAtMs larger for what ended later */
export function stopped(ordinal: number, endedAtMs = 1_000): ObservedMember {
  return { ...silent(ordinal), container: "stopped", endedAtMs };
}

export function frozen(ordinal: number): ObservedMember {
  return { ...silent(ordinal), container: "frozen" };
}

/** A volume alone. */
export function volume(ordinal: number): ObservedMember {
  return { ordinal, hasVolume: true, container: "absent", endedAtMs: null, limits: null, postgres: null };
}

/** Runs as a replica whose primary is gone. */
export function leaderless(ordinal: number): ObservedMember {
  const member = replica(ordinal);
  return member.postgres ? { ...member, postgres: { ...member.postgres, replication: null } } : member;
}

export function catchingUp(ordinal: number): ObservedMember {
  const member = replica(ordinal);
  if (!member.postgres) return member;
  const replication = { state: "catching up", synchronous: false, trusted: false, lagBytes: 4096 } as const;
  return { ...member, postgres: { ...member.postgres, replication } };
}

/** Runs on a disk with next to no room left. */
export function onFullDisk(member: ObservedMember): ObservedMember {
  const { postgres } = member;
  return postgres ? { ...member, postgres: { ...postgres, storage: "low" } } : member;
}

/** Commits wait for it, and the members have not agreed on that yet. */
export function untrusted(member: ObservedMember): ObservedMember {
  const replication = member.postgres?.replication;
  return member.postgres && replication
    ? { ...member, postgres: { ...member.postgres, replication: { ...replication, trusted: false } } }
    : member;
}

/** With settings of its own in force, beside those of its size. */
export function withSettings(member: ObservedMember, settings: PostgresSettings): ObservedMember {
  const { postgres } = member;
  return postgres
    ? { ...member, postgres: { ...postgres, settings: { ...postgres.settings, ...settings } } }
    : member;
}

/** Everything stands, with these members, told what is wanted of them. */
export function standing(
  desired: DesiredService,
  members: readonly ObservedMember[],
  changes: Partial<ObservedService> = {},
): ObservedService {
  const led = members.some(({ postgres }) => postgres?.writable);
  return {
    foundation: "present",
    gateway: { state: "running", serving: led, allowList: desired.allowList },
    members,
    configuration: {
      settings: settingsFor(desired.size, desired.parameters),
      syncReplicaCount: desired.syncReplicaCount,
    },
    roles: led ? { current: true, passwordVersion: desired.passwordVersion } : null,
    pooler: desired.pooler ? { state: "running", serving: true } : NOTHING.pooler,
    copy: NOTHING.copy,
    ...changes,
  };
}
