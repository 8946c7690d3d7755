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
  /** Roles and passwords inside the databases; null while no primary tells. */
  readonly roles: ObservedRoles | null;
  readonly pooler: ObservedPooler;
  readonly copy: ObservedCopy;
  /** What leads to the endpoint from VPCs; left out: nothing. */
  readonly vpc?: ObservedAttachment;
}

/** What is seen of a service of which there is nothing. */
export const NOTHING: ObservedService = {
  foundation: "absent",
  gateway: { state: "absent", serving: false, allowList: null },
  members: [],
  configuration: null,
  roles: null,
  pooler: { state: "absent", serving: false },
  copy: { state: "absent" },
};

export interface ObservedAttachment {
  /** The VPCs in whose networks the gateway stands. */
  readonly joined: readonly string[];
  /** The CIDRs of VPCs that it lets in beside its list. */
  readonly ranges: readonly string[];
  /** What stands between a peered network and the VPC, one for each peering. */
  readonly relays: readonly { readonly peeringId: string; readonly running: boolean }[];
}

export interface ObservedRoles {
  /** Whether everything of ours inside the databases is as this version of the platform wants it. */
  readonly current: boolean;
  /** Which password of the service's first role was set last; 0: none of ours. */
  readonly passwordVersion: number;
}

export interface ObservedPooler {
  readonly state: "absent" | "stopped" | "running";
  /** Whether the gateway reaches it. */
  readonly serving: boolean;
}

/** What fills a fork's first volume from its parent. */
export interface ObservedCopy {
  readonly state: "absent" | "running" | "done" | "failed";
  /** How far it is, or why it failed. */
  readonly detail?: string;
}

export interface ObservedGateway {
  readonly state: "absent" | "stopped" | "running";
  /** Whether it leads to a primary now, or to a member that only reads where there are only such; by its own health checks. */
  readonly serving: boolean;
  /** The CIDRs that it lets in now; null while it does not tell. */
  readonly allowList: readonly string[] | null;
  /** Why it does not run, in the engine's words, where the engine says so. */
  readonly problem?: string;
}

export interface ObservedMember {
  readonly ordinal: number;
  /** Whether its data volume exists. A volume may hold the only copy of somebody's data. */
  readonly hasVolume: boolean;
  /** Whether the volume holds a whole database, such as a copy that is not finished is none; left out: nobody looked. */
  readonly hasDatabase?: boolean;
  /** `frozen`: paused in the engine. `cut off`: it runs, and is not in its service's network. */
  readonly container: "absent" | "stopped" | "running" | "frozen" | "cut off";
  /** When its container last ended, in milliseconds of the epoch; null while it runs, or never did. */
  readonly endedAtMs: number | null;
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
  /** How much room its disk has; where it is low, tenants may read and not write. */
  readonly storage: "enough" | "low";
  /** Seen from the primary, by a member that only reads from itself; null for the primary itself and while no primary answers. */
  readonly replication: ObservedReplication | null;
}

export interface ObservedReplication {
  readonly state: "streaming" | "catching up" | "disconnected";
  /** Whether commits wait for it. */
  readonly synchronous: boolean;
  /** Whether the members have agreed that it has every acknowledged write, and may take over: a moment later than that. */
  readonly trusted: boolean;
  readonly lagBytes: number | null;
}

/** What the whole cluster runs with, kept by the coordination service; of what only reads, the one that it reads from. */
export interface ClusterConfiguration {
  readonly settings: PostgresSettings;
  readonly syncReplicaCount: number;
}
