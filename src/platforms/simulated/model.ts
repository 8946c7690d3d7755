/**
 * How a simulated service goes on by itself as time passes: servers start, copies end, leads lapse. Pure: a state and a
 * time in, a state out. What steps change stands in steps.ts, what faults change in faults.ts.
 */
import { needsRestart, type PostgresSettings } from "../../planner/settings.ts";
import { dropWrites, replicate, settle, wantedSynchronous } from "./cluster.ts";
import {
  changeMember,
  isUp,
  type MemberState,
  memberOf,
  type ServiceState,
  servingLeader,
  TIMINGS,
} from "./state.ts";

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
