/** One simulated service with its reconciler, faults and a timeline of what happened, on virtual time. */
import { EVERY_ADDRESS } from "../../src/contract/cidr.ts";
import type { DesiredService } from "../../src/planner/desired.ts";
import type { ObservedService } from "../../src/planner/observed.ts";
import type { Step } from "../../src/planner/step.ts";
import type { Platform, ServiceIdentity } from "../../src/platforms/platform.ts";
import { Faults } from "../../src/platforms/simulated/faults.ts";
import { VirtualClock } from "../../src/platforms/simulated/simulated-clock.ts";
import { createSimulatedPlatform } from "../../src/platforms/simulated/simulated-platform.ts";
import { Simulation } from "../../src/platforms/simulated/simulation.ts";
import { type ServiceState } from "../../src/platforms/simulated/state.ts";
import { type Kept, keep, type Look, lookOnce, type Surroundings } from "./converge.ts";
import { changed, desiredService, serviceIdentity } from "./services.ts";

/** Longer than any scenario takes, the lapse of a lead and a base copy included. */
export const LIMIT_MS = 300_000;

export type StepGuard = (step: Step, observed: ObservedService, state: ServiceState) => void;

/** The service that a fork begins with; see World.withParent. */
export const PARENT = "parent0000";

export class World {
  readonly clock: VirtualClock;
  readonly simulation: Simulation;
  readonly faults: Faults;
  readonly platform: Platform;
  readonly timeline: string[] = [];
  readonly identity: ServiceIdentity;
  #kept: Kept;
  #lastLine = "";
  readonly #startMs: number;
  readonly #surroundings: Surroundings;

  /** @param beside another service on the same platform, at the same time; its faults are its own */
  constructor(desired: Partial<DesiredService> = {}, guard: StepGuard = () => undefined, beside?: World) {
    this.clock = beside?.clock ?? new VirtualClock();
    this.#startMs = this.clock.now().getTime();
    this.simulation = beside?.simulation ?? new Simulation(this.clock);
    this.faults = new Faults(this.simulation);
    this.platform = this.faults.disturb(createSimulatedPlatform({ simulation: this.simulation }));
    this.#kept = keep(desiredService(desired));
    const { serviceId, readsFrom } = this.#kept.desired;
    this.identity = {
      ...serviceIdentity(serviceId, 20_000),
      readsFrom: readsFrom === null ? null : { serviceId: readsFrom, place: 0 },
    };
    this.#surroundings = {
      platform: this.platform,
      identity: this.identity,
      pace: { now: () => this.clock.now(), pass: async (ms) => this.clock.advance(ms) },
      beforeStep: (step, observed) => {
        guard(step, observed, this.state);
      },
    };
  }

  /** The service that a fork begins with, or that is read from: ready, and with so many writes in it. */
  async withParent(writes: number, desired: Partial<DesiredService> = {}): Promise<World> {
    const parent = new World({ ...desired, serviceId: PARENT }, undefined, this);
    await parent.settled();
    for (let write = 0; write < writes; write += 1) parent.faults.write(PARENT);
    return parent;
  }

  get desired(): DesiredService {
    return this.#kept.desired;
  }

  get serviceId(): string {
    return this.#kept.desired.serviceId;
  }

  get state(): ServiceState {
    return this.simulation.read(this.serviceId);
  }

  get leader(): number {
    return this.state.leader?.ordinal ?? -1;
  }

  want(changes: Partial<DesiredService>): void {
    this.#kept.desired = changed(this.#kept.desired, changes);
    this.#note(`asked: ${Object.entries(changes).map(show).join(", ")}`);
  }

  /** Something happens from outside; the timeline tells of it by this name. */
  happens(name: string, what: () => void): void {
    this.#note(`! ${name}`);
    what();
  }

  async look(): Promise<Look> {
    const before = this.clock.now().getTime();
    const look = await lookOnce(this.#kept, this.#surroundings);
    this.#noteLook(look, before);
    // A process that was cut off in a step starts again with what the store kept.
    if (look.outcome?.kind === "broken") this.#kept = keep(this.#kept.desired);
    return look;
  }

  /** Goes on until `over` says so, or throws. */
  async until(over: (look: Look) => boolean, limitMs = LIMIT_MS): Promise<Look> {
    const deadline = this.clock.now().getTime() + limitMs;
    for (;;) {
      const look = await this.look();
      if (over(look)) return look;
      if (this.clock.now().getTime() > deadline) {
        throw new Error(`no end after ${limitMs} ms:\n${this.timeline.slice(-30).join("\n")}`);
      }
    }
  }

  settled(): Promise<Look> {
    return this.until(({ plan }) => plan?.kind === "settled");
  }

  async observe(): Promise<ObservedService> {
    return this.platform.observe(this.identity);
  }

  #noteLook({ step, outcome, assessment, plan, observed }: Look, atMs: number): void {
    if (!observed) this.#note(`${assessment.status} – ${assessment.statusReason}`, atMs);
    if (step) this.#note(`${showStep(step)}${outcome?.kind === "done" ? "" : ` – ${tell(outcome)}`}`, atMs);
    if (plan?.kind === "wait") {
      const late = assessment.conditions.some(({ reason }) => reason === "Overdue") ? " (overdue)" : "";
      this.#note(`${assessment.status} waits for ${plan.reason}: ${plan.detail}${late}`, atMs);
    }
    if (plan?.kind === "settled")
      this.#note(this.desired.presence === "absent" ? "gone" : assessment.status, atMs);
  }

  #note(text: string, atMs = this.clock.now().getTime()): void {
    if (text === this.#lastLine) return;
    this.#lastLine = text;
    this.timeline.push(`t+${((atMs - this.#startMs) / 1000).toFixed(1).padStart(5, "0")}s ${text}`);
  }
}

function tell(outcome: Look["outcome"]): string {
  return outcome && "why" in outcome ? `${outcome.kind}: ${outcome.why}` : "";
}

function show([name, value]: [string, unknown]): string {
  return `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`;
}

function showList(list: readonly string[]): string {
  return list === EVERY_ADDRESS ? "" : ` ${list.join(" ") || "nobody"}`;
}

function showStep(step: Step): string {
  switch (step.kind) {
    case "ensureFoundation":
    case "ensurePooler":
    case "removePooler":
    case "clearCopy":
    case "removeService":
      return step.kind;
    case "ensureGateway":
      return `${step.kind}${showList(step.allowList)}`;
    case "setAllowList": {
      const vpcs = (step.vpcRanges ?? []).map((range) => ` and VPC ${range}`).join("");
      return `${step.kind}${showList(step.allowList)}${vpcs}`;
    }
    case "joinVpc":
    case "leaveVpc":
      return `${step.kind} ${step.vpcId}`;
    case "ensureRelay":
      return `ensureRelay ${step.peeringId} to ${step.network}`;
    case "removeRelay":
      return `removeRelay ${step.peeringId}`;
    case "setRoles":
      return `setRoles, password ${step.passwordVersion}`;
    case "copyParent":
      return `copyParent ${step.parentId}`;
    case "createMember":
      return `createMember ${step.ordinal} ${step.data}`;
    case "startMember":
    case "stopMember":
    case "endMember":
    case "takeUpSettings":
    case "restartPostgres":
    case "removeMember":
      return `${step.kind} ${step.ordinal}`;
    case "setLimits": {
      const { cpuMillis, memoryBytes } = step.limits;
      return `setLimits ${step.ordinal} ${cpuMillis ?? "all"}m ${memoryBytes / 1024 ** 3}GiB`;
    }
    case "configure": {
      const { settings, syncReplicaCount } = step.configuration;
      const connections = settings["max_connections"];
      const chosen = connections === "100" ? "" : `, max_connections ${connections}`;
      return `configure shared_buffers ${settings["shared_buffers"]}${chosen}, ${syncReplicaCount} synchronous`;
    }
    case "fitMember":
      return `fitMember ${step.ordinal} shared_buffers ${step.settings["shared_buffers"]}${step.restart ? ", restart" : ""}`;
    case "switchover":
      return `switchover ${step.from} → ${step.to}`;
  }
}
