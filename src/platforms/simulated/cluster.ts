/**
 * What Patroni and PostgreSQL bring about without anybody's doing: who holds the lead, who follows whom, which replicas
 * are synchronous.
 */
import {
  changeMember,
  isGuarded,
  isStreaming,
  isUp,
  type MemberState,
  memberOf,
  type ServiceState,
  servingLeader,
  sourceOf,
  TIMINGS,
  type Writes,
} from "./state.ts";

/** What follows at once from what is: who holds the lead, who follows, who copies. */
export function settle(state: ServiceState, nowMs: number): ServiceState {
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
  if (state.upstream || state.leader || state.foundation !== "present") return state;
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
export function dropWrites(writes: Writes, position: number, guarded: boolean): Writes {
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
  const source = sourceOf(state);
  if (!source) return state;
  const members = state.members.map((member): MemberState => {
    if (!member.data || member.data.timeline === source.timeline || !isStreaming(state, member))
      return member;
    return { ...member, data: source };
  });
  return { ...state, members };
}

/** Members without data copy as soon as there is somebody to copy from, and begin anew when that one is gone. */
function strandedCopy(state: ServiceState, nowMs: number): ServiceState {
  const source = sourceOf(state);
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
  const source = sourceOf(state);
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
export function wantedSynchronous(state: ServiceState): ServiceState["synchronous"] {
  if (!servingLeader(state) || !state.leader) return state.synchronous;
  const streaming = state.members
    .filter((member) => isStreaming(state, member))
    .map(({ ordinal }) => ordinal);
  const kept = state.synchronous.replicas.filter((ordinal) => streaming.includes(ordinal));
  const others = streaming.filter((ordinal) => !kept.includes(ordinal));
  const replicas = [...kept, ...others].slice(0, state.configuration?.syncReplicaCount ?? 0);
  return { leader: state.leader.ordinal, replicas };
}

function sameSet(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((item) => b.includes(item));
}

export function replicate(state: ServiceState): ServiceState {
  const source = sourceOf(state);
  const members = state.members.map((member) =>
    source && isStreaming(state, member) ? { ...member, data: source } : member,
  );
  return { ...state, members, replicationDueMs: null };
}
