/** The simulated platform: services in memory that behave, seen from outside, like real ones. */
import type { ObservedMember, ObservedPostgres, ObservedService } from "../../planner/observed.ts";
import type { Step, StepOutcome } from "../../planner/step.ts";
import type { Capacity, Platform, ServiceIdentity } from "../platform.ts";
import { realTime } from "./simulated-clock.ts";
import { Simulation } from "./simulation.ts";
import {
  isStreaming,
  isUp,
  isWritable,
  lagBytes,
  type MemberState,
  type ServiceState,
  servingLeader,
} from "./state.ts";
import { effects } from "./steps.ts";
import { usage } from "./usage.ts";
import { verdict } from "./verdicts.ts";

export interface SimulatedPlatformOptions {
  readonly simulation?: Simulation;
  readonly capacity?: Capacity;
  /** The endpoints' ports, first and last; nothing listens there. */
  readonly ports?: readonly [first: number, last: number];
}

/** Enough for thousands of services. */
const LARGE_MACHINE: Capacity = { cpuMillis: 4_096_000, memoryBytes: 16 * 1024 ** 4 };
const PORTS = [20_000, 59_999] as const;

export function createSimulatedPlatform(options: SimulatedPlatformOptions = {}): Platform {
  const { simulation = new Simulation(realTime), capacity = LARGE_MACHINE, ports = PORTS } = options;
  return {
    capacity: async () => capacity,
    observe: async ({ serviceId }) => observe(simulation.read(serviceId), simulation.nowMs),
    execute: async (step, service) => execute(simulation, step, service),
    watch: (changed, signal) => simulation.watch(changed, signal),
    freePorts: async (count, taken) => portsOutside(taken, ports, count),
    usage: async ({ serviceId }) => usage(simulation.read(serviceId), simulation.nowMs),
    logs: async () => null,
    close: async () => undefined,
  };
}

/** What takes time has only begun when this returns; the outcome is then a wait, and `done` once it is over. */
function execute(simulation: Simulation, step: Step, { serviceId }: ServiceIdentity): StepOutcome {
  const known = judge(simulation, step, serviceId);
  if (known) return known;
  for (const effect of effects(step)) simulation.change(serviceId, effect);
  return judge(simulation, step, serviceId) ?? { kind: "done" };
}

export function judge(simulation: Simulation, step: Step, serviceId: string): StepOutcome | null {
  const parent = step.kind === "copyParent" ? simulation.read(step.parentId) : null;
  return verdict(step, simulation.read(serviceId), parent, simulation.nowMs);
}

function observe(state: ServiceState, nowMs: number): ObservedService {
  const { foundation, gateway, pooler, copy, members, configuration, roles } = state;
  const open = gateway.state === "running" && gateway.servesAtMs <= nowMs;
  const pooling = pooler.state === "running" && pooler.servesAtMs <= nowMs;
  const writable = isWritable(state, nowMs);
  return {
    foundation,
    gateway: {
      state: gateway.state,
      serving: open && writable,
      allowList: gateway.state === "running" ? gateway.allowList : null,
    },
    members: members.map((member) => observeMember(state, member, nowMs)),
    configuration: members.some(isUp) ? configuration : null,
    roles: writable ? roles : null,
    pooler: { state: pooler.state, serving: open && pooling },
    copy: { state: copy.state, ...("detail" in copy ? { detail: copy.detail } : {}) },
  };
}

function observeMember(state: ServiceState, member: MemberState, nowMs: number): ObservedMember {
  const { ordinal, hasVolume, data, container, endedAtMs, limits } = member;
  return {
    ordinal,
    hasVolume,
    container,
    endedAtMs,
    limits,
    postgres: observePostgres(state, member, nowMs),
    // Of what does not run, nobody knows.
    ...(container === "running" && data === null ? { hasDatabase: false } : {}),
  };
}

function observePostgres(state: ServiceState, member: MemberState, nowMs: number): ObservedPostgres | null {
  if (!isUp(member) || !member.data) return null;
  const { ordinal, settings } = member;
  const { timeline } = member.data;
  if (state.leader?.ordinal === ordinal) {
    const writable = isWritable(state, nowMs);
    return {
      role: writable ? "primary" : "replica",
      writable,
      timeline,
      settings,
      storage: "enough",
      replication: null,
    };
  }
  const source = servingLeader(state);
  const replication =
    source?.data && isWritable(state, nowMs)
      ? {
          state: isStreaming(state, member) ? ("streaming" as const) : ("disconnected" as const),
          synchronous: state.synchronous.replicas.includes(ordinal),
          trusted: state.synchronous.replicas.includes(ordinal),
          lagBytes: lagBytes(source.data, member.data),
        }
      : null;
  return { role: "replica", writable: false, timeline, settings, storage: "enough", replication };
}

function portsOutside(
  taken: ReadonlySet<number>,
  [first, last]: readonly [number, number],
  count: number,
): readonly number[] {
  const free: number[] = [];
  for (let port = first; port <= last && free.length < count; port += 1) {
    if (!taken.has(port)) free.push(port);
  }
  return free;
}
