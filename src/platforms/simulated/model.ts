/**
 * How a simulated service goes on by itself as time passes: servers start, copies end, leads lapse. Pure: a state and a
 * time in, a state out. What steps change stands in steps.ts, what faults change in faults.ts.
 */
import { needsRestart, type PostgresSettings, STANDBY_FLOOR_SETTINGS } from "../../planner/settings.ts";
import { dropWrites, replicate, settle, wantedSynchronous } from "./cluster.ts";
import {
  changeMember,
  isUp,
  isWritable,
  type MemberState,
  memberOf,
  type ServiceState,
  servingLeader,
  sourceOf,
  TIMINGS,
} from "./state.ts";

/** Starts a member's container; what its server does then depends on what the volume holds. */
export function startContainer(state: ServiceState, ordinal: number, nowMs: number): ServiceState {
  // A cluster that was initialised once is not initialised again, whatever its members have been made with.
  const mayBegin = state.configuration === null;
  return changeMember(state, ordinal, (member) => startServer(member, mayBegin, nowMs));
}

function startServer(member: MemberState, mayBegin: boolean, nowMs: number): MemberState {
  const running: MemberState = {
    ...member,
    container: "running",
    endedAtMs: null,
    takesUpAtMs: null,
    forgetful: false,
  };
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
  if (server.kind === "stopping") return ended(state, ordinal, nowMs);
  if (server.kind === "initialising" && member.bootstrap) return bootstrapped(state, member, nowMs);
  const data = server.kind === "copying" ? sourceOf(state) : member.data;
  if (!data) return changeMember(state, ordinal, (it) => ({ ...it, server: { kind: "stranded" } }));
  const told = state.configuration?.settings ?? member.settings;
  const settings = atLeastAsMuch(told, primarysOf(state, ordinal));
  return changeMember(state, ordinal, (it) => ({
    ...it,
    data,
    settings,
    server: { kind: "up" },
    takesUpAtMs: null,
  }));
}

/** What the primary that a member follows runs with; nothing where it follows none. */
function primarysOf(state: ServiceState, ordinal: number): PostgresSettings {
  if (state.upstream) return state.upstream.settings;
  const leader = servingLeader(state);
  return leader && leader.ordinal !== ordinal ? leader.settings : {};
}

/** As Patroni does: a replica is never started with less than its primary, whatever it was told. */
function atLeastAsMuch(told: PostgresSettings, primarys: PostgresSettings): PostgresSettings {
  const floors = STANDBY_FLOOR_SETTINGS.filter((name) => Number(told[name]) < Number(primarys[name]));
  return { ...told, ...Object.fromEntries(floors.map((name) => [name, primarys[name] ?? ""])) };
}

/** Its container has stopped by its own will; one that led has given the lead away. */
function ended(state: ServiceState, ordinal: number, nowMs: number): ServiceState {
  const stopped = changeMember(state, ordinal, (member) => stoppedAt(member, nowMs));
  return state.leader?.ordinal === ordinal ? { ...stopped, leader: null } : stopped;
}

export function stoppedAt(member: MemberState, nowMs: number): MemberState {
  return { ...member, container: "stopped", endedAtMs: nowMs, server: { kind: "down" }, takesUpAtMs: null };
}

/** Of the first role's password, in a database that has just begun. */
const FIRST_PASSWORD_VERSION = 1;

/** What a database of its own has from its first moment on. */
export function ownIdentity(nowMs: number): Pick<ServiceState, "systemId" | "roles"> {
  return { systemId: nowMs, roles: { current: true, passwordVersion: FIRST_PASSWORD_VERSION } };
}

/** A copy has come to its end: it holds what the parent's primary had at that moment. */
export function copied(state: ServiceState, parent: ServiceState, nowMs: number): ServiceState {
  if (state.copy.state !== "running") return state;
  const source = isWritable(parent, nowMs) ? servingLeader(parent) : null;
  const data = source?.data ?? null;
  if (!data) return { ...state, copy: { state: "failed", detail: "the parent has no primary" } };
  const filled = changeMember(state, state.copy.ordinal, (member) => ({ ...member, data }));
  return { ...filled, copy: { state: "done" } };
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
    ...ownIdentity(nowMs),
    configuration,
    leader: { ordinal: member.ordinal, writableAtMs: nowMs, lapsesAtMs: null },
    synchronous: { leader: member.ordinal, replicas: [] },
    writes: { ...dropWrites(writes, 0, true), timeline: 1 },
  };
}
