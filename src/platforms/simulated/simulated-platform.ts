/** The simulated platform: services in memory that behave, seen from outside, like real ones. */
import type {
  ObservedAttachment,
  ObservedMember,
  ObservedPostgres,
  ObservedService,
} from "../../planner/observed.ts";
import type { Step, StepOutcome } from "../../planner/step.ts";
import type { Capacity, NetworkSurvey, Platform, ServiceIdentity } from "../platform.ts";
import { realTime } from "./simulated-clock.ts";
import { Simulation } from "./simulation.ts";
import {
  isStreaming,
  isUp,
  isWritable,
  lagBytes,
  type MemberState,
  type ServiceState,
  sourceOf,
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
    observe: async (service) => observe(known(simulation, service), simulation.nowMs),
    execute: async (step, service) => {
      known(simulation, service);
      return execute(simulation, step, service);
    },
    surveyNetworks: async () => survey(simulation),
    ensureVpc: async ({ vpcId, cidr }) => {
      simulation.vpcs.set(vpcId, cidr);
      return { kind: "done" };
    },
    removeVpc: async (vpcId) => {
      simulation.vpcs.delete(vpcId);
      return { kind: "done" };
    },
    watch: (changed, signal) => simulation.watch(changed, signal),
    freePorts: async (count, taken) => portsOutside(taken, ports, count),
    usage: async ({ serviceId }) => usage(simulation.read(serviceId), simulation.nowMs),
    logs: async () => null,
    databaseAddress: async () => null,
    close: async () => undefined,
  };
}

/** What only reads is told from which service when it is first spoken of. */
function known(simulation: Simulation, { serviceId, readsFrom }: ServiceIdentity): ServiceState {
  return readsFrom ? simulation.readFrom(serviceId, readsFrom.serviceId) : simulation.read(serviceId);
}

/** What takes time has only begun when this returns; the outcome is then a wait, and `done` once it is over. */
function execute(simulation: Simulation, step: Step, { serviceId }: ServiceIdentity): StepOutcome {
  const known = judge(simulation, step, serviceId);
  if (known) return known;
  for (const effect of effects(step)) simulation.change(serviceId, effect);
  return judge(simulation, step, serviceId) ?? { kind: "done" };
}

/** In memory there are no networks but those of VPCs, so nothing that one could be peered with. */
function survey({ vpcs }: Simulation): NetworkSurvey {
  const networks = [...vpcs.keys()].map((vpcId) => ({
    id: `simulated-${vpcId}`,
    name: `vpc-${vpcId}`,
    vpcId,
  }));
  return { usedRanges: [], networks: networks.map((network) => ({ ...network, notPeerable: null })) };
}

export function judge(simulation: Simulation, step: Step, serviceId: string): StepOutcome | null {
  const parent = step.kind === "copyParent" ? simulation.read(step.parentId) : null;
  if (step.kind === "joinVpc" && !simulation.vpcs.has(step.vpcId))
    return { kind: "wait", why: `the network of VPC ${step.vpcId} is not there` };
  return verdict(step, simulation.read(serviceId), parent, simulation.nowMs);
}

function observe(state: ServiceState, nowMs: number): ObservedService {
  const { foundation, gateway, pooler, copy, members, configuration, roles } = state;
  const open = gateway.state === "running" && gateway.servesAtMs <= nowMs;
  const pooling = pooler.state === "running" && pooler.servesAtMs <= nowMs;
  const writable = isWritable(state, nowMs);
  const leadsSomewhere = state.upstream ? members.some((member) => isUp(member) && member.data) : writable;
  return {
    foundation,
    gateway: {
      state: gateway.state,
      serving: open && leadsSomewhere,
      allowList: gateway.state === "running" ? gateway.allowList : null,
    },
    members: members.map((member) => observeMember(state, member, nowMs)),
    configuration: state.upstream?.configuration ?? (members.some(isUp) ? configuration : null),
    roles: writable ? roles : null,
    pooler: { state: pooler.state, serving: open && pooling },
    copy: { state: copy.state, ...("detail" in copy ? { detail: copy.detail } : {}) },
    ...(isIdle(state.vpc) ? {} : { vpc: state.vpc }),
  };
}

function isIdle({ joined, ranges, relays }: ObservedAttachment): boolean {
  return joined.length === 0 && ranges.length === 0 && relays.length === 0;
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
  const source = sourceOf(state);
  const replication =
    source && (state.upstream || isWritable(state, nowMs))
      ? {
          state: isStreaming(state, member) ? ("streaming" as const) : ("disconnected" as const),
          synchronous: state.synchronous.replicas.includes(ordinal),
          trusted: state.synchronous.replicas.includes(ordinal),
          lagBytes: lagBytes(source, member.data),
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
