import type { MemberLimits } from "./limits.ts";
import type { PostgresSettings } from "./settings.ts";

/** What a platform found, read from what really runs; never from memory of what was done. */
export interface ObservedService {
  /** Network and coordination, the ground that members stand on. */
  readonly foundation: "absent" | "partial" | "present";
  readonly gateway: ObservedGateway;
  /** In order of their ordinals; a member is there while its container or its volume is. */
  readonly members: readonly ObservedMember[];
  /** What the members have been told to run with; null while nobody has been told, or it cannot be read. */
  readonly configuration: ClusterConfiguration | null;
}

export interface ObservedGateway {
  readonly state: "absent" | "stopped" | "running";
  /** Whether it leads to a primary now, by its own health checks. */
  readonly serving: boolean;
  /** Why it does not run, in the engine's words, where the engine says so. */
  readonly problem?: string;
}

export interface ObservedMember {
  readonly ordinal: number;
  /** Whether its data volume exists. A volume may hold the only copy of somebody's data. */
  readonly hasVolume: boolean;
  readonly container: "absent" | "stopped" | "running" | "frozen";
  /** As the engine enforces them now; null without a container. */
  readonly limits: MemberLimits | null;
  /** null while PostgreSQL does not answer. */
  readonly postgres: ObservedPostgres | null;
}

export interface ObservedPostgres {
  readonly role: "primary" | "replica";
  /** A primary that takes writes; false for every replica. */
  readonly writable: boolean;
  readonly timeline: number;
  /** The values in force inside the server, by their PostgreSQL names, for the settings that follow the size. */
  readonly settings: PostgresSettings;
  /** Seen from the primary; null for the primary itself and while no primary answers. */
  readonly replication: ObservedReplication | null;
}

export interface ObservedReplication {
  readonly state: "streaming" | "catching up" | "disconnected";
  readonly synchronous: boolean;
  readonly lagBytes: number | null;
}

/** What the whole cluster runs with, kept by the coordination service. */
export interface ClusterConfiguration {
  readonly settings: PostgresSettings;
  readonly syncReplicaCount: number;
}
