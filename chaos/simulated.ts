/** The same schedules against the planner and a model of the platform, on virtual time, thousands of them. */

import { LawfulWorld, told } from "../test/scenarios/lawful-world.ts";
import { NOTHING } from "../test/support/observations.ts";
import { LARGE, SMALL } from "../test/support/services.ts";
import type { SimulatedArguments } from "./arguments.ts";
import type { Fault, MemberFault, Scheduled, Shape, Target } from "./fault.ts";
import { randomFrom } from "./random.ts";
import { scheduleFor } from "./schedule.ts";

export interface Failure {
  readonly seed: number;
  readonly shape: Shape;
  /** What went wrong, and the life before it. */
  readonly why: string;
}

const SHAPES: readonly Shape[] = [
  { name: "0", replicaCount: 0, syncReplicaCount: 0 },
  { name: "1", replicaCount: 1, syncReplicaCount: 0 },
  { name: "1s", replicaCount: 1, syncReplicaCount: 1 },
  { name: "2s", replicaCount: 2, syncReplicaCount: 1 },
  { name: "2s2", replicaCount: 2, syncReplicaCount: 2 },
];
/** On virtual time, after the last fault. */
const SETTLED_WITHIN_MS = 120_000;
/** Between two writes, and two looks at a service that needs nothing. */
const REST_MS = 500;
/** More at one moment are no work any more. */
const LOOKS_WITHOUT_TIME = 200;
const PROGRESS_EVERY_MS = 2_000;
const FAILURES_SHOWN = 3;

/** Runs with seeds from `seed` on. Returns whether all of them came to a good end. */
export async function chaosSimulated(
  { seed, count, durationMs }: SimulatedArguments,
  say: (line: string) => void,
): Promise<boolean> {
  const startedAt = performance.now();
  const failures: Failure[] = [];
  let shownAt = startedAt;
  for (let at = 0; at < count; at += 1) {
    const failure = await simulate(seed + at, durationMs);
    if (failure) failures.push(failure);
    if (performance.now() - shownAt < PROGRESS_EVERY_MS) continue;
    shownAt = performance.now();
    say(`  ${at + 1} of ${count} lives, ${failures.length} failed`);
  }
  for (const { seed: failed, shape, why } of failures.slice(0, FAILURES_SHOWN)) {
    say(`\nSeed ${failed}, a service of ${shape.name}: ${why}`);
  }
  const elapsed = ((performance.now() - startedAt) / 1000).toFixed(1);
  say(`\n${count} lives from seed ${seed} on in ${elapsed} s, ${failures.length} failed.`);
  if (failures.length > 0) {
    say(`Seeds: ${failures.map((failure) => failure.seed).join(", ")}`);
    const again = `--simulated --seed ${failures[0]?.seed} --count 1 --minutes ${durationMs / 60_000}`;
    say(`Again: npm run chaos -- ${again}`);
  }
  return failures.length === 0;
}

/** The life of one service, all of which follows from the seed; null: it came to a good end. */
export async function simulate(seed: number, durationMs: number): Promise<Failure | null> {
  const random = randomFrom(seed);
  const shape = random.choose(SHAPES.map((each) => [1, each] as const));
  const life = new Life(shape, random.percent(50));
  try {
    await life.live(scheduleFor({ seed, durationMs, services: [shape] }));
    return null;
  } catch (error) {
    return { seed, shape, why: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${reasonOf(error.cause)}\n${error.message}`;
}

interface Due {
  readonly atMs: number;
  readonly act: () => void;
}

class Life {
  readonly #world: LawfulWorld;
  /** Whether the lead of a member that has ended is taken back at once, as long as the control plane runs. */
  readonly #quick: boolean;
  readonly #due: Due[] = [];
  #controlPlaneRuns = true;

  constructor({ replicaCount, syncReplicaCount }: Shape, quick: boolean) {
    this.#quick = quick;
    this.#world = new LawfulWorld({ replicaCount, syncReplicaCount, pooler: true });
  }

  /** Throws what went wrong. */
  async live(schedule: readonly Scheduled[]): Promise<void> {
    const world = this.#world;
    await told(world, async () => {
      await world.settled();
      const readyMs = this.#nowMs;
      for (const { atMs, fault } of schedule) this.#later(readyMs + atMs, () => this.#strike(fault));
      for (let next = this.#due.shift(); next; next = this.#due.shift()) {
        await this.#until(next.atMs);
        next.act();
      }
      await this.#comeToRest();
    });
  }

  async #comeToRest(): Promise<void> {
    const world = this.#world;
    this.#start();
    const endMs = this.#nowMs + SETTLED_WITHIN_MS;
    let settled = false;
    while (!settled) {
      if (this.#nowMs > endMs)
        throw new Error(`it is not settled ${SETTLED_WITHIN_MS} ms after the last fault`);
      settled = (await this.#look()).plan?.kind === "settled";
    }
    const { lostConfirmed, lost } = world.state.writes;
    if (lostConfirmed > 0) throw new Error(`${lostConfirmed} confirmed writes are lost`);
    if (lost > 0 && world.desired.generation === 1 && world.desired.replicaCount === 0)
      throw new Error(`${lost} writes of a service with one member are lost`);
    const primaries = (await world.observe()).members.filter(({ postgres }) => postgres?.writable);
    if (primaries.length !== 1) throw new Error(`${primaries.length} members take writes`);
    world.want({ presence: "absent" });
    await world.settled();
    const left = await world.observe();
    if (JSON.stringify(left) !== JSON.stringify(NOTHING)) throw new Error(`left: ${JSON.stringify(left)}`);
  }

  /** Lets time pass, with a client that writes and, while the control plane runs, a reconciler that looks. */
  async #until(atMs: number): Promise<void> {
    let looks = 0;
    let lastMs = this.#nowMs;
    while (this.#nowMs < atMs) {
      this.#world.faults.write(this.#world.serviceId);
      const rests = !this.#controlPlaneRuns || (await this.#look()).plan?.kind === "settled";
      if (rests) this.#world.clock.advance(Math.max(0, Math.min(REST_MS, atMs - this.#nowMs)));
      looks = this.#nowMs === lastMs ? looks + 1 : 0;
      lastMs = this.#nowMs;
      if (looks > LOOKS_WITHOUT_TIME) throw new Error("step after step is done at once, and there is no end");
    }
  }

  async #look() {
    if (this.#quick) this.#world.faults.takeBackLead(this.#world.serviceId);
    return this.#world.look();
  }

  #strike(fault: Fault): void {
    const { faults, serviceId, desired } = this.#world;
    switch (fault.kind) {
      case "killMember":
      case "killPostmaster":
      case "pauseMember":
      case "stopProcesses":
      case "cutNetwork":
        return this.#strikeMember(fault);
      case "killGateway":
        return this.#happens(fault.kind, () => faults.loseGateway(serviceId));
      case "killPooler":
        return this.#happens(fault.kind, () => faults.killPooler(serviceId));
      case "killEtcd":
        return this.#happens(fault.kind, () => faults.loseCoordination(serviceId));
      case "restartEngine":
        return this.#happens(fault.kind, () => faults.engineUnreachable(REST_MS));
      case "killControlPlane":
        this.#controlPlaneRuns = false;
        this.#later(this.#nowMs + fault.forMs, () => {
          this.#controlPlaneRuns = true;
        });
        return this.#happens(fault.kind, () => undefined);
      case "stop":
        this.#later(this.#nowMs + fault.forMs, () => this.#start());
        // The API refuses to stop what is stopped.
        if (this.#controlPlaneRuns && desired.power === "running") this.#world.want({ power: "stopped" });
        return undefined;
      case "setHA":
        return this.#ask({ replicaCount: fault.replicaCount, syncReplicaCount: fault.syncReplicaCount });
      case "resize":
        return this.#ask({ size: fault.size === "500/2" ? SMALL : LARGE });
      case "switchover":
        return this.#world.leader < 0 ? undefined : this.#ask({ handOverFrom: this.#world.leader });
    }
  }

  #strikeMember(fault: MemberFault): void {
    const { faults, serviceId } = this.#world;
    const ordinal = this.#ordinalOf(fault.target);
    if (ordinal === null) return;
    const name = `${fault.kind} ${ordinal}`;
    switch (fault.kind) {
      case "killMember":
        return this.#happens(name, () => faults.killMember(serviceId, ordinal));
      case "killPostmaster":
        return this.#happens(name, () => faults.silenceMember(serviceId, ordinal, RECOVERY_MS));
      case "stopProcesses":
        return this.#happens(name, () => faults.silenceMember(serviceId, ordinal, fault.forMs));
      case "pauseMember":
      case "cutNetwork": {
        this.#later(this.#nowMs + fault.forMs, () => faults.thawMember(serviceId, ordinal));
        const harm = fault.kind === "pauseMember" ? "freezeMember" : "cutOffMember";
        return this.#happens(name, () => faults[harm](serviceId, ordinal));
      }
    }
  }

  #ordinalOf(target: Target): number | null {
    const { members } = this.#world.state;
    const running = members.filter(({ container }) => container === "running").map(({ ordinal }) => ordinal);
    const primary = running.find((ordinal) => ordinal === this.#world.leader);
    const replica = running.find((ordinal) => ordinal !== primary);
    return (target === "primary" ? (primary ?? replica) : (replica ?? primary)) ?? null;
  }

  #ask(changes: Parameters<LawfulWorld["want"]>[0]): void {
    if (this.#controlPlaneRuns) this.#world.want(changes);
  }

  #start(): void {
    if (this.#world.desired.power === "stopped") this.#world.want({ power: "running" });
  }

  #happens(name: string, what: () => void): void {
    this.#world.happens(name, what);
  }

  #later(atMs: number, act: () => void): void {
    const before = this.#due.findLastIndex((due) => due.atMs <= atMs);
    this.#due.splice(before + 1, 0, { atMs, act });
  }

  get #nowMs(): number {
    return this.#world.clock.now().getTime();
  }
}

/** After the end of the postmaster, until its server is back. */
const RECOVERY_MS = 1_500;
