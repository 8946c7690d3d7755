/** What happens to simulated services from outside: faults, and a client that writes. For tests and demonstrations. */
import { EVERY_ADDRESS } from "../../contract/cidr.ts";
import type { ObservedService } from "../../planner/observed.ts";
import type { Step, StepKind, StepOutcome } from "../../planner/step.ts";
import type { Platform, ServiceIdentity } from "../platform.ts";
import { startContainer, stoppedAt } from "./model.ts";
import { judge } from "./simulated-platform.ts";
import type { Simulation } from "./simulation.ts";
import {
  changeMember,
  isStreaming,
  isUp,
  isWritable,
  type MemberState,
  memberOf,
  NOTHING,
  type ServiceState,
  servingLeader,
  TIMINGS,
} from "./state.ts";
import { effects } from "./steps.ts";

/** A client's address that no list of a test leaves out by mistake. */
const SOMEWHERE = "192.0.2.1/32";

/** Which no size gives. */
const FORGOTTEN_WORK_MEM = "5MB";

/** A step that was cut off: some of its effects are there, and nobody heard how it ended. */
export class CutOff extends Error {
  override readonly name = "CutOff";
}

export class Faults {
  readonly #simulation: Simulation;
  #unreachableUntilMs = 0;
  readonly #failing: { kind: StepKind | "any"; times: number }[] = [];
  /** How many effects of the next steps are let through; the first entry is for the very next step. */
  readonly #cuts: number[] = [];

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  /** The container dies at once; it stays there, stopped. */
  killMember(serviceId: string, ordinal: number): void {
    this.#onMember(serviceId, ordinal, (member, nowMs) =>
      member.container === "absent" || member.container === "stopped" ? member : stoppedAt(member, nowMs),
    );
  }

  /** The engine forgets the container; the volume stays. */
  removeContainer(serviceId: string, ordinal: number): void {
    this.killMember(serviceId, ordinal);
    this.#onMember(serviceId, ordinal, (member) => ({
      ...member,
      container: "absent",
      endedAtMs: null,
      limits: null,
      bootstrap: null,
    }));
  }

  /** Paused by the engine: it holds its connections, and answers nothing. */
  freezeMember(serviceId: string, ordinal: number): void {
    this.#onMember(serviceId, ordinal, (member) =>
      member.container === "running" ? { ...member, container: "frozen" } : member,
    );
  }

  /** It runs, and neither reaches the others nor is reached. */
  cutOffMember(serviceId: string, ordinal: number): void {
    this.#onMember(serviceId, ordinal, (member) =>
      member.container === "running" ? { ...member, container: "cut off" } : member,
    );
  }

  /** Its server answers nobody for so long, as after a crash or while its processes are stopped; the lead stays its own. */
  silenceMember(serviceId: string, ordinal: number, forMs: number): void {
    this.#onMember(serviceId, ordinal, (member, nowMs) =>
      isUp(member) ? { ...member, server: { kind: "starting", untilMs: nowMs + forMs } } : member,
    );
  }

  /** Its server runs with other settings than it was told, and takes up no more, as where Patroni is told while it starts. */
  forgetSettings(serviceId: string, ordinal: number): void {
    this.#onMember(serviceId, ordinal, (member) =>
      isUp(member)
        ? { ...member, settings: { ...member.settings, work_mem: FORGOTTEN_WORK_MEM }, forgetful: true }
        : member,
    );
  }

  /** A frozen member goes on, or one that was cut off is back; one that lost the lead meanwhile steps down, which restarts it. */
  thawMember(serviceId: string, ordinal: number): void {
    this.#happens(serviceId, (state, nowMs) => {
      const container = memberOf(state, ordinal)?.container;
      if (container !== "frozen" && container !== "cut off") return state;
      const thawed = changeMember(state, ordinal, (member) => ({ ...member, container: "running" }));
      return state.leader?.ordinal === ordinal ? thawed : startContainer(thawed, ordinal, nowMs);
    });
  }

  /** The data is gone, and the server that used it; of a member without a container nothing is left. */
  loseVolume(serviceId: string, ordinal: number): void {
    this.killMember(serviceId, ordinal);
    this.#onMember(serviceId, ordinal, (member) => ({ ...member, hasVolume: false, data: null }));
  }

  /** What platforms do that follow their engine's events: the lead of a container that has ended is gone at once. */
  takeBackLead(serviceId: string): void {
    this.#happens(serviceId, (state) => {
      const holder = state.leader && memberOf(state, state.leader.ordinal);
      const heirs = state.members.some(({ container }) => container === "running");
      return holder && holder.container === "stopped" && heirs ? { ...state, leader: null } : state;
    });
  }

  /** Nobody can be elected until it is there again; who leads goes on. */
  loseCoordination(serviceId: string): void {
    this.#happens(serviceId, (state) =>
      state.foundation === "present" ? { ...state, foundation: "partial" } : state,
    );
  }

  loseGateway(serviceId: string): void {
    this.#happens(serviceId, (state) => ({
      ...state,
      gateway: NOTHING.gateway,
      vpc: { ...state.vpc, joined: [], ranges: [] },
    }));
  }

  /** Somebody takes the gateway out of the networks of its VPCs. */
  cutOffGateway(serviceId: string): void {
    this.#happens(serviceId, (state) => ({ ...state, vpc: { ...state.vpc, joined: [] } }));
  }

  killRelays(serviceId: string): void {
    this.#happens(serviceId, (state) => ({
      ...state,
      vpc: { ...state.vpc, relays: state.vpc.relays.map((relay) => ({ ...relay, running: false })) },
    }));
  }

  /** It comes back by itself, with the list that it was told. */
  restartGateway(serviceId: string): void {
    this.#happens(serviceId, (state, nowMs) =>
      state.gateway.state === "running"
        ? { ...state, gateway: { ...state.gateway, servesAtMs: nowMs + TIMINGS.gateway } }
        : state,
    );
  }

  killPooler(serviceId: string): void {
    this.#happens(serviceId, (state) =>
      state.pooler.state === "running" ? { ...state, pooler: { ...state.pooler, state: "stopped" } } : state,
    );
  }

  /** What copies a fork's parent dies; what it has copied is worth nothing. */
  killCopier(serviceId: string): void {
    this.#happens(serviceId, (state) =>
      state.copy.state === "running"
        ? { ...state, copy: { state: "failed", detail: "the copier was killed" } }
        : state,
    );
  }

  /** Nothing can be asked of the engine and nothing done by it; what runs goes on running. */
  engineUnreachable(forMs: number): void {
    this.#unreachableUntilMs = this.#simulation.nowMs + forMs;
  }

  /** The next steps of that kind fail without an effect, so many times. */
  failSteps(kind: StepKind | "any", times: number): void {
    this.#failing.push({ kind, times });
  }

  /** After `stepsBefore` more steps, the next one is cut off after so many of its effects. */
  cutStep(stepsBefore: number, afterEffects: number): void {
    this.#cuts.push(...Array.from({ length: stepsBefore }, () => Infinity), afterEffects);
  }

  /** Ends every fault that would go on by itself. */
  cease(): void {
    this.#unreachableUntilMs = 0;
    this.#failing.length = 0;
    this.#cuts.length = 0;
  }

  /**
   * A client writes through the endpoint. Returns whether it was acknowledged; a primary that waits for a synchronous
   * replica in vain does not acknowledge.
   *
   * @param from a range of one address; it is let in where the list has that range, or every address; or the range of a
   * VPC in which the gateway stands
   */
  write(serviceId: string, from = SOMEWHERE): boolean {
    const { writes, gateway, vpc } = this.#simulation.read(serviceId);
    const admitted = gateway.allowList?.some((range) => range === from || EVERY_ADDRESS.includes(range));
    const inVpc = vpc.joined.length > 0 && vpc.ranges.includes(from);
    if (!admitted && !inVpc) return false;
    return this.#simulation.change(serviceId, written).writes.acknowledged > writes.acknowledged;
  }

  /** The platform as it looks to its user while faults are on. */
  disturb(platform: Platform): Platform {
    const engine = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
      if (this.#simulation.nowMs < this.#unreachableUntilMs) throw new Error("the engine does not answer");
      return ask();
    };
    return {
      capacity: () => engine(() => platform.capacity()),
      observe: (service) => engine((): Promise<ObservedService> => platform.observe(service)),
      execute: (step, service) => engine(() => this.#execute(platform, step, service)),
      surveyNetworks: () => engine(() => platform.surveyNetworks()),
      ensureVpc: (vpc) => engine(() => platform.ensureVpc(vpc)),
      removeVpc: (vpcId) => engine(() => platform.removeVpc(vpcId)),
      watch: (changed, signal) => platform.watch(changed, signal),
      freePorts: (count, taken) => engine(() => platform.freePorts(count, taken)),
      usage: (service) => engine(() => platform.usage(service)),
      logs: (serviceId, query) => engine(() => platform.logs(serviceId, query)),
      databaseAddress: (serviceId, readsFrom) => engine(() => platform.databaseAddress(serviceId, readsFrom)),
      close: () => platform.close(),
    };
  }

  async #execute(platform: Platform, step: Step, service: ServiceIdentity): Promise<StepOutcome> {
    const failing = this.#failing.find(
      ({ kind, times }) => times > 0 && (kind === "any" || kind === step.kind),
    );
    if (failing) {
      failing.times -= 1;
      return { kind: "failed", why: "a fault made it fail" };
    }
    const allowed = this.#cuts.shift() ?? Infinity;
    if (allowed === Infinity) return platform.execute(step, service);
    const { serviceId } = service;
    if (judge(this.#simulation, step, serviceId) === null) {
      for (const effect of effects(step).slice(0, allowed)) this.#simulation.change(serviceId, effect);
    }
    throw new CutOff(`${step.kind} was cut off`);
  }

  #onMember(
    serviceId: string,
    ordinal: number,
    change: (member: MemberState, nowMs: number) => MemberState,
  ): void {
    this.#happens(serviceId, (state, nowMs) => {
      const { members } = changeMember(state, ordinal, (member) => change(member, nowMs));
      return { ...state, members: members.filter((it) => it.hasVolume || it.container !== "absent") };
    });
  }

  #happens(serviceId: string, effect: (state: ServiceState, nowMs: number) => ServiceState): void {
    this.#simulation.change(serviceId, effect);
    this.#simulation.tell(serviceId);
  }
}

function written(state: ServiceState, nowMs: number): ServiceState {
  const source = servingLeader(state);
  const { replicas } = state.synchronous;
  const confirming = state.members.filter((member) => replicas.includes(member.ordinal));
  const open = state.gateway.state === "running" && isWritable(state, nowMs);
  const blocked = confirming.length < replicas.length || !confirming.every((it) => isStreaming(state, it));
  if (!open || !source?.data || blocked) return state;
  const data = { ...source.data, position: source.data.position + 1 };
  const holders = new Set([source.ordinal, ...replicas]);
  return {
    ...state,
    members: state.members.map((member) => (holders.has(member.ordinal) ? { ...member, data } : member)),
    writes: {
      ...state.writes,
      acknowledged: data.position,
      confirmed: replicas.length > 0 ? data.position : state.writes.confirmed,
    },
  };
}
