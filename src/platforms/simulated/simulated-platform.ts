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
  type MemberState,
  type ServiceState,
  servingLeader,
} from "./state.ts";
import { effects, verdict } from "./steps.ts";

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
    close: async () => undefined,
  };
}

/** What takes time has only begun when this returns; the outcome is then a wait, and `done` once it is over. */
function execute(simulation: Simulation, step: Step, { serviceId }: ServiceIdentity): StepOutcome {
  const known = verdict(step, simulation.read(serviceId), simulation.nowMs);
  if (known) return known;
  for (const effect of effects(step)) simulation.change(serviceId, effect);
  return verdict(step, simulation.read(serviceId), simulation.nowMs) ?? { kind: "done" };
}

function observe(state: ServiceState, nowMs: number): ObservedService {
  const running = state.gateway.state === "running";
  return {
    foundation: state.foundation,
    gateway: {
      state: state.gateway.state,
      serving: running && state.gateway.servesAtMs <= nowMs && isWritable(state, nowMs),
    },
    members: state.members.map((member) => observeMember(state, member, nowMs)),
    configuration: state.members.some(isUp) ? state.configuration : null,
  };
}

function observeMember(state: ServiceState, member: MemberState, nowMs: number): ObservedMember {
  const { ordinal, hasVolume, container, limits } = member;
  return { ordinal, hasVolume, container, limits, postgres: observePostgres(state, member, nowMs) };
}

function observePostgres(state: ServiceState, member: MemberState, nowMs: number): ObservedPostgres | null {
  if (!isUp(member) || !member.data) return null;
  const { ordinal, settings } = member;
  const { timeline } = member.data;
  if (state.leader?.ordinal === ordinal) {
    const writable = isWritable(state, nowMs);
    return { role: writable ? "primary" : "replica", writable, timeline, settings, replication: null };
  }
  const source = servingLeader(state);
  const replication =
    source?.data && isWritable(state, nowMs)
      ? {
          state: isStreaming(state, member) ? ("streaming" as const) : ("disconnected" as const),
          synchronous: state.synchronous.replicas.includes(ordinal),
          lagBytes: (source.data.position - member.data.position) * BYTES_PER_WRITE,
        }
      : null;
  return { role: "replica", writable: false, timeline, settings, replication };
}

const BYTES_PER_WRITE = 128;

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
