/** What a simulated service is at a moment, and what can be read from it. */
import type { MemberLimits } from "../../planner/limits.ts";
import type {
  ClusterConfiguration,
  ObservedAttachment,
  ObservedMember,
  ObservedRoles,
  ObservedService,
} from "../../planner/observed.ts";
import type { PostgresSettings } from "../../planner/settings.ts";

/** Milliseconds, as measured on a small machine. */
export const TIMINGS = {
  gateway: 300,
  pooler: 200,
  newDatabase: 1_500,
  copy: 2_500,
  /** Of a parent's data into a fork. */
  copyParent: 3_000,
  start: 1_000,
  restart: 500,
  /** A clean end, with its checkpoint. */
  stop: 400,
  switchover: 1_300,
  /** Between two looks of a member at the coordination service; what is told is taken up by then. */
  loop: 1_000,
  /** What a leader that is gone keeps the lead for. */
  leaderTtl: 20_000,
  /** How far an asynchronous replica is behind. */
  replicationDelay: 100,
} as const;

/** How much of the service's writes a volume holds: all up to `position`, by the history that ends in `timeline`. */
export interface Data {
  readonly timeline: number;
  readonly position: number;
}

export type Server =
  | { readonly kind: "down" }
  /** Runs, but has no data and nobody to copy from. */
  | { readonly kind: "stranded" }
  | { readonly kind: "initialising" | "copying" | "starting" | "stopping"; readonly untilMs: number }
  | { readonly kind: "up" };

export interface MemberState {
  readonly ordinal: number;
  readonly hasVolume: boolean;
  /** null: an empty volume, or none. */
  readonly data: Data | null;
  readonly container: ObservedMember["container"];
  readonly endedAtMs: number | null;
  readonly limits: MemberLimits | null;
  /** What the container was made with: the configuration of a new database that it may begin; null: it may not. */
  readonly bootstrap: ClusterConfiguration | null;
  readonly server: Server;
  /** In force inside the server. */
  readonly settings: PostgresSettings;
  /** When the member takes up what was last told to all; null: it has. */
  readonly takesUpAtMs: number | null;
  /** Whether it forgets what it is told, until it is reminded or starts anew. */
  readonly forgetful: boolean;
}

export interface Leader {
  readonly ordinal: number;
  /** From when on it takes writes, provided its server is up. */
  readonly writableAtMs: number;
  /** When the lead lapses because its holder is gone; null while the holder is there. */
  readonly lapsesAtMs: number | null;
}

/** What stands before the members: whether it is there, and from when on it leads to what it stands for. */
interface Stand {
  readonly state: "absent" | "stopped" | "running";
  readonly servesAtMs: number;
}

export type CopyState =
  | { readonly state: "absent" | "done" }
  | {
      readonly state: "running";
      readonly parentId: string;
      readonly ordinal: number;
      readonly untilMs: number;
    }
  | { readonly state: "failed"; readonly detail: string };

/** The service that another one reads from, as it is now. */
export interface Upstream {
  readonly serviceId: string;
  /** Of its primary; null while there is none. */
  readonly data: Data | null;
  readonly configuration: ClusterConfiguration | null;
  /** What its primary runs with. */
  readonly settings: PostgresSettings;
}

export interface ServiceState {
  /** null: it has a primary of its own. */
  readonly upstream: Upstream | null;
  readonly foundation: ObservedService["foundation"];
  /** The list stays while the gateway is stopped; null: it is being changed. */
  readonly gateway: Stand & { readonly allowList: readonly string[] | null };
  readonly pooler: Stand;
  readonly vpc: ObservedAttachment;
  readonly copy: CopyState;
  readonly members: readonly MemberState[];
  /** What tells this database from every other; null: there is none yet. */
  readonly systemId: number | null;
  /** Inside the databases; null: there are none yet. */
  readonly roles: ObservedRoles | null;
  /** Kept by the coordination service, as are the leader and the synchronous set. */
  readonly configuration: ClusterConfiguration | null;
  readonly leader: Leader | null;
  /** Who may take over without losing a write: the leader it was made under and its synchronous replicas. */
  readonly synchronous: { readonly leader: number; readonly replicas: readonly number[] };
  readonly synchronousDueMs: number | null;
  readonly replicationDueMs: number | null;
  readonly writes: Writes;
}

/** What clients were told. */
export interface Writes {
  readonly timeline: number;
  /** How many writes were acknowledged and are still there. */
  readonly acknowledged: number;
  /** How many of them a synchronous replica had confirmed. */
  readonly confirmed: number;
  readonly lost: number;
  readonly lostConfirmed: number;
}

export const NOTHING: ServiceState = {
  upstream: null,
  foundation: "absent",
  gateway: { state: "absent", servesAtMs: 0, allowList: null },
  pooler: { state: "absent", servesAtMs: 0 },
  vpc: { joined: [], ranges: [], relays: [] },
  copy: { state: "absent" },
  members: [],
  systemId: null,
  roles: null,
  configuration: null,
  leader: null,
  synchronous: { leader: -1, replicas: [] },
  synchronousDueMs: null,
  replicationDueMs: null,
  writes: { timeline: 0, acknowledged: 0, confirmed: 0, lost: 0, lostConfirmed: 0 },
};

export function memberOf({ members }: ServiceState, ordinal: number): MemberState | undefined {
  return members.find((member) => member.ordinal === ordinal);
}

export function changeMember(
  state: ServiceState,
  ordinal: number,
  change: (member: MemberState) => MemberState,
): ServiceState {
  return {
    ...state,
    members: state.members.map((member) => (member.ordinal === ordinal ? change(member) : member)),
  };
}

/** The member that leads and has a server that runs, whether it takes writes already or not. */
export function servingLeader(state: ServiceState): MemberState | null {
  const member = state.leader && memberOf(state, state.leader.ordinal);
  return member && isUp(member) ? member : null;
}

/** What the members that follow a primary copy and stream. */
export function sourceOf(state: ServiceState): Data | null {
  return state.upstream ? state.upstream.data : (servingLeader(state)?.data ?? null);
}

export function isWritable(state: ServiceState, nowMs: number): boolean {
  return servingLeader(state) !== null && state.leader !== null && state.leader.writableAtMs <= nowMs;
}

export function isUp(member: MemberState): boolean {
  return member.container === "running" && member.server.kind === "up";
}

export function isStreaming(state: ServiceState, member: MemberState): boolean {
  return sourceOf(state) !== null && member.ordinal !== state.leader?.ordinal && isUp(member);
}

/** Whether only those may lead that have confirmed every write. */
export function isGuarded({ configuration }: ServiceState): boolean {
  return configuration !== null && configuration.syncReplicaCount > 0;
}

export const BYTES_PER_WRITE = 128;

/** How much of what the source holds is not there. */
export function lagBytes(source: Data, own: Data): number {
  return (source.position - own.position) * BYTES_PER_WRITE;
}
