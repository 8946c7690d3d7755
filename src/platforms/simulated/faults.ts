/** What happens to simulated services from outside: faults, and a client that writes. For tests and demonstrations. */
import type { ObservedService } from "../../planner/observed.ts";
import type { Step, StepKind, StepOutcome } from "../../planner/step.ts";
import type { Platform, ServiceIdentity } from "../platform.ts";
import { startContainer } from "./model.ts";
import type { Simulation } from "./simulation.ts";
import {
  changeMember,
  isStreaming,
  isWritable,
  type MemberState,
  memberOf,
  NOTHING,
  type ServiceState,
  servingLeader,
} from "./state.ts";
import { effects, verdict } from "./steps.ts";

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
    this.#onMember(serviceId, ordinal, (member) =>
      member.container === "running" || member.container === "frozen"
        ? { ...member, container: "stopped", server: { kind: "down" }, takesUpAtMs: null }
        : member,
    );
  }

  /** The engine forgets the container; the volume stays. */
  removeContainer(serviceId: string, ordinal: number): void {
    this.killMember(serviceId, ordinal);
    this.#onMember(serviceId, ordinal, (member) => ({
      ...member,
      container: "absent",
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

  /** It goes on; one that lost the lead meanwhile steps down, which restarts it. */
  thawMember(serviceId: string, ordinal: number): void {
    this.#happens(serviceId, (state, nowMs) => {
      if (memberOf(state, ordinal)?.container !== "frozen") return state;
      const thawed = changeMember(state, ordinal, (member) => ({ ...member, container: "running" }));
      return state.leader?.ordinal === ordinal ? thawed : startContainer(thawed, ordinal, nowMs);
    });
  }

  /** The data is gone, and the server that used it; of a member without a container nothing is left. */
  loseVolume(serviceId: string, ordinal: number): void {
    this.killMember(serviceId, ordinal);
    this.#onMember(serviceId, ordinal, (member) => ({ ...member, hasVolume: false, data: null }));
  }

  loseGateway(serviceId: string): void {
    this.#happens(serviceId, (state) => ({ ...state, gateway: NOTHING.gateway }));
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
   */
  write(serviceId: string): boolean {
    const before = this.#simulation.read(serviceId).writes.acknowledged;
    const after = this.#simulation.change(serviceId, written).writes.acknowledged;
    return after > before;
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
      watch: (changed, signal) => platform.watch(changed, signal),
      freePorts: (count, taken) => engine(() => platform.freePorts(count, taken)),
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
    if (verdict(step, this.#simulation.read(serviceId), this.#simulation.nowMs) === null) {
      for (const effect of effects(step).slice(0, allowed)) this.#simulation.change(serviceId, effect);
    }
    throw new CutOff(`${step.kind} was cut off`);
  }

  #onMember(serviceId: string, ordinal: number, change: (member: MemberState) => MemberState): void {
    this.#happens(serviceId, (state) => {
      const { members } = changeMember(state, ordinal, change);
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
