/**
 * What a simulated service is, and how it goes on by itself as time passes: servers start, copies end, the lead
 * lapses and is taken over, as Patroni and PostgreSQL do it. Pure: every function takes a state and a time and returns
 * a state. What steps change stands in steps.ts, what faults change in faults.ts.
 */
import type { MemberLimits } from "../../planner/limits.ts";
import type { ClusterConfiguration, ObservedService } from "../../planner/observed.ts";
import { needsRestart, type PostgresSettings } from "../../planner/settings.ts";

/** Milliseconds, as measured on a small machine. */
export const TIMINGS = {
  gateway: 300,
  newDatabase: 1_500,
  copy: 2_500,
  start: 1_000,
  restart: 500,
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
  | { readonly kind: "initialising" | "copying" | "starting"; readonly untilMs: number }
  | { readonly kind: "up" };

export interface MemberState {
  readonly ordinal: number;
  readonly hasVolume: boolean;
  /** null: an empty volume, or none. */
  readonly data: Data | null;
  readonly container: "absent" | "stopped" | "running" | "frozen";
  readonly limits: MemberLimits | null;
  /** What the container was made with: the configuration of a new database that it may begin; null: it may not. */
  readonly bootstrap: ClusterConfiguration | null;
  readonly server: Server;
  /** In force inside the server. */
  readonly settings: PostgresSettings;
  /** When the member takes up what was last told to all; null: it has. */
  readonly takesUpAtMs: number | null;
}

export interface Leader {
  readonly ordinal: number;
  /** From when on it takes writes, provided its server is up. */
  readonly writableAtMs: number;
  /** When the lead lapses because its holder is gone; null while the holder is there. */
  readonly lapsesAtMs: number | null;
}

export interface ServiceState {
  readonly foundation: ObservedService["foundation"];
  readonly gateway: { readonly state: "absent" | "stopped" | "running"; readonly servesAtMs: number };
  readonly members: readonly MemberState[];
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
  foundation: "absent",
  gateway: { state: "absent", servesAtMs: 0 },
  members: [],
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

export function isWritable(state: ServiceState, nowMs: number): boolean {
  return servingLeader(state) !== null && state.leader !== null && state.leader.writableAtMs <= nowMs;
}

export function isUp(member: MemberState): boolean {
  return member.container === "running" && member.server.kind === "up";
}

export function isStreaming(state: ServiceState, member: MemberState): boolean {
  return servingLeader(state) !== null && member.ordinal !== state.leader?.ordinal && isUp(member);
}

/** Starts a member's container; what its server does then depends on what the volume holds. */
export function startContainer(state: ServiceState, ordinal: number, nowMs: number): ServiceState {
  // A cluster that was initialised once is not initialised again, whatever its members have been made with.
  const mayBegin = state.configuration === null;
  return changeMember(state, ordinal, (member) => startServer(member, mayBegin, nowMs));
}

function startServer(member: MemberState, mayBegin: boolean, nowMs: number): MemberState {
  const running: MemberState = { ...member, container: "running", takesUpAtMs: null };
  if (member.data) return { ...running, server: { kind: "starting", untilMs: nowMs + TIMINGS.start } };
  return member.bootstrap && mayBegin
    ? { ...running, server: { kind: "initialising", untilMs: nowMs + TIMINGS.newDatabase } }
    : { ...running, server: { kind: "stranded" } };
}

/** The state at `nowMs`, with everything that was due until then. */
export function advance(state: ServiceState, nowMs: number): ServiceState {
  let current = state;
  for (let next = nextDue(current); next !== null && next <= nowMs; next = nextDue(current)) {
    current = settle(fire(current, next), next);
  }
  return settle(current, nowMs);
}

/** When something happens next by itself; null: never, unless something is done to the service. */
function nextDue(state: ServiceState): number | null {
  const times = state.members
    .filter((member) => member.container === "running")
    .flatMap((member) => [
      "untilMs" in member.server ? member.server.untilMs : null,
      isUp(member) ? member.takesUpAtMs : null,
    ]);
  const due = [
    ...times,
    state.leader?.lapsesAtMs ?? null,
    state.synchronousDueMs,
    state.replicationDueMs,
  ].filter((time) => time !== null);
  return due.length === 0 ? null : Math.min(...due);
}

function fire(state: ServiceState, nowMs: number): ServiceState {
  let next = state;
  for (const { ordinal } of state.members) next = fireMember(next, ordinal, nowMs);
  if (next.leader?.lapsesAtMs !== null && next.leader && next.leader.lapsesAtMs <= nowMs) {
    next = { ...next, leader: null };
  }
  if (next.replicationDueMs !== null && next.replicationDueMs <= nowMs) next = replicate(next);
  if (next.synchronousDueMs !== null && next.synchronousDueMs <= nowMs) {
    next = { ...next, synchronous: wantedSynchronous(next), synchronousDueMs: null };
  }
  return next;
}

function fireMember(state: ServiceState, ordinal: number, nowMs: number): ServiceState {
  const member = memberOf(state, ordinal);
  if (member?.container !== "running") return state;
  if ("untilMs" in member.server && member.server.untilMs <= nowMs) return serverReady(state, member, nowMs);
  if (isUp(member) && member.takesUpAtMs !== null && member.takesUpAtMs <= nowMs) {
    return changeMember(state, ordinal, (it) => takeUp(it, state.configuration?.settings ?? {}));
  }
  return state;
}

/** All that a running server can take up; the rest stays as it is until a restart. */
function takeUp(member: MemberState, told: PostgresSettings): MemberState {
  const live = Object.entries(told).filter(([name]) => !needsRestart([name]));
  return { ...member, takesUpAtMs: null, settings: { ...member.settings, ...Object.fromEntries(live) } };
}

function serverReady(state: ServiceState, member: MemberState, nowMs: number): ServiceState {
  const { ordinal, server } = member;
  if (server.kind === "initialising" && member.bootstrap) return bootstrapped(state, member, nowMs);
  const source = servingLeader(state);
  const data = server.kind === "copying" ? (source?.data ?? null) : member.data;
  if (!data) return changeMember(state, ordinal, (it) => ({ ...it, server: { kind: "stranded" } }));
  const settings = state.configuration?.settings ?? member.settings;
  return changeMember(state, ordinal, (it) => ({
    ...it,
    data,
    settings,
    server: { kind: "up" },
    takesUpAtMs: null,
  }));
}

function bootstrapped(state: ServiceState, member: MemberState, nowMs: number): ServiceState {
  const { writes } = state;
  const configuration = member.bootstrap;
  const settings = configuration?.settings ?? {};
  const begun = changeMember(state, member.ordinal, (it) => ({
    ...it,
    data: { timeline: 1, position: 0 },
    settings,
    server: { kind: "up" },
  }));
  return {
    ...begun,
    configuration,
    leader: { ordinal: member.ordinal, writableAtMs: nowMs, lapsesAtMs: null },
    synchronous: { leader: member.ordinal, replicas: [] },
    writes: { ...dropWrites(writes, 0, true), timeline: 1 },
  };
}

/** What follows at once from what is: who holds the lead, who follows, who copies. */
function settle(state: ServiceState, nowMs: number): ServiceState {
  const led = follow(elect(holdLead(state, nowMs), nowMs));
  return planReplication(planSynchronous(strandedCopy(led, nowMs), nowMs), nowMs);
}

function holdLead(state: ServiceState, nowMs: number): ServiceState {
  if (!state.leader) return state;
  const holder = memberOf(state, state.leader.ordinal);
  const there = holder?.container === "running" && holder.data !== null;
  if (there === (state.leader.lapsesAtMs === null)) return state;
  return { ...state, leader: { ...state.leader, lapsesAtMs: there ? null : nowMs + TIMINGS.leaderTtl } };
}

/** Without a leader, the furthest of those that may not have missed an acknowledged write takes the lead. */
function elect(state: ServiceState, nowMs: number): ServiceState {
  if (state.leader) return state;
  const heir = candidates(state).toSorted((a, b) => b.position - a.position || a.ordinal - b.ordinal)[0];
  return heir ? promote(state, heir.ordinal, nowMs) : state;
}

export function candidates(state: ServiceState): readonly { ordinal: number; position: number }[] {
  const trusted = new Set([state.synchronous.leader, ...state.synchronous.replicas]);
  return state.members.flatMap((member) =>
    isUp(member) && member.data && (!isGuarded(state) || trusted.has(member.ordinal))
      ? [{ ordinal: member.ordinal, position: member.data.position }]
      : [],
  );
}

/** Whether only those may lead that have confirmed every write. */
export function isGuarded({ configuration }: ServiceState): boolean {
  return configuration !== null && configuration.syncReplicaCount > 0;
}

export function promote(state: ServiceState, ordinal: number, writableAtMs: number): ServiceState {
  const position = memberOf(state, ordinal)?.data?.position ?? 0;
  const timeline = state.writes.timeline + 1;
  return {
    ...changeMember(state, ordinal, (it) => ({ ...it, data: { timeline, position } })),
    leader: { ordinal, writableAtMs, lapsesAtMs: null },
    synchronous: { leader: ordinal, replicas: state.synchronous.replicas.filter((it) => it !== ordinal) },
    writes: { ...dropWrites(state.writes, position, isGuarded(state)), timeline },
  };
}

/** Confirmed writes count as lost only where writes were meant to be confirmed still. */
function dropWrites(writes: Writes, position: number, guarded: boolean): Writes {
  return {
    ...writes,
    acknowledged: Math.min(writes.acknowledged, position),
    confirmed: Math.min(writes.confirmed, position),
    lost: writes.lost + Math.max(0, writes.acknowledged - position),
    lostConfirmed: writes.lostConfirmed + (guarded ? Math.max(0, writes.confirmed - position) : 0),
  };
}

/** Replicas take over the leader's history, rewound where theirs went another way. */
function follow(state: ServiceState): ServiceState {
  const source = servingLeader(state)?.data;
  if (!source) return state;
  const members = state.members.map((member): MemberState => {
    if (!member.data || member.data.timeline === source.timeline || !isStreaming(state, member)) return member;
    return { ...member, data: source };
  });
  return { ...state, members };
}

/** Members without data copy as soon as there is somebody to copy from, and begin anew when that one is gone. */
function strandedCopy(state: ServiceState, nowMs: number): ServiceState {
  const source = servingLeader(state);
  const members = state.members.map((member): MemberState => {
    if (member.container !== "running") return member;
    if (source && member.server.kind === "stranded") {
      return { ...member, server: { kind: "copying", untilMs: nowMs + TIMINGS.copy } };
    }
    return !source && member.server.kind === "copying" ? { ...member, server: { kind: "stranded" } } : member;
  });
  return { ...state, members };
}

function planReplication(state: ServiceState, nowMs: number): ServiceState {
  const source = servingLeader(state)?.data;
  const behind =
    source &&
    state.members.some(
      (member) => isStreaming(state, member) && (member.data?.position ?? 0) < source.position,
    );
  return behind && state.replicationDueMs === null
    ? { ...state, replicationDueMs: nowMs + TIMINGS.replicationDelay }
    : state;
}

function planSynchronous(state: ServiceState, nowMs: number): ServiceState {
  const wanted = wantedSynchronous(state);
  if (sameSet(wanted.replicas, state.synchronous.replicas)) {
    return state.synchronousDueMs === null ? state : { ...state, synchronousDueMs: null };
  }
  return state.synchronousDueMs === null ? { ...state, synchronousDueMs: nowMs + TIMINGS.loop } : state;
}

/** Those that are synchronous stay so while they stream; others fill the places up to the number asked for. */
function wantedSynchronous(state: ServiceState): ServiceState["synchronous"] {
  if (!servingLeader(state) || !state.leader) return state.synchronous;
  const streaming = state.members.filter((member) => isStreaming(state, member)).map(({ ordinal }) => ordinal);
  const kept = state.synchronous.replicas.filter((ordinal) => streaming.includes(ordinal));
  const others = streaming.filter((ordinal) => !kept.includes(ordinal));
  const replicas = [...kept, ...others].slice(0, state.configuration?.syncReplicaCount ?? 0);
  return { leader: state.leader.ordinal, replicas };
}

function sameSet(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((item) => b.includes(item));
}

function replicate(state: ServiceState): ServiceState {
  const source = servingLeader(state)?.data;
  const members = state.members.map((member) =>
    source && isStreaming(state, member) ? { ...member, data: source } : member,
  );
  return { ...state, members, replicationDueMs: null };
}
