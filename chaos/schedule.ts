/** Which faults happen when: a pure function of the seed. */
import type { Fault, Scheduled, ServiceFault, Shape, SharedFault, Target } from "./fault.ts";
import { type Random, type Range, randomFrom } from "./random.ts";

export interface ScheduleOptions {
  readonly seed: number;
  /** From the first fault to the last. */
  readonly durationMs: number;
  readonly services: readonly Shape[];
  /** What happens only where it is asked for. */
  readonly extras?: readonly Extra[];
}

/**
 * `engine`: the engine is restarted, which only one of the run's own may be. `outage`: the control plane is away for
 * longer than a lead lasts, so that nobody fences a primary that hangs.
 */
export const EXTRAS = ["engine", "outage"] as const;
export type Extra = (typeof EXTRAS)[number];

/** Between two faults of one service; the second often strikes while the first is not over. */
const GAPS: readonly (readonly [weight: number, ms: Range])[] = [
  [2, [100, 1_500]],
  [4, [2_000, 8_000]],
  [3, [8_000, 20_000]],
];
const SHARED_GAP_MS: Range = [15_000, 60_000];
/** For how long a member hangs or is cut off: mostly less than a lead lasts, and sometimes more. */
const SHORT_MS: Range = [500, 12_000];
const LONG_MS: Range = [15_000, 40_000];
const LONG_PERCENT = 20;
/** For how long the control plane is away. */
const RESTART_MS: Range = [500, 8_000];
const COMES_BACK_MS = 15_000;
const OUTAGE_MS: Range = [20_000, 60_000];
const MAX_REPLICAS = 2;
/** How often, out of a hundred, a service that has synchronous replicas is asked to have none. */
const PROMISE_BROKEN_PERCENT = 10;

/** In order of time. The same options give the same list. */
export function scheduleFor(options: ScheduleOptions): readonly Scheduled[] {
  const scheduled = [
    ...options.services.flatMap((shape, index) =>
      ofService(shape, randomFrom(mixed(options.seed, index + 1)), options),
    ),
    ...ofShared(randomFrom(mixed(options.seed, 0)), options),
  ];
  return scheduled.toSorted((a, b) => a.atMs - b.atMs);
}

/** Each service has a stream of its own, so that leaving one out changes nothing for the others. */
function mixed(seed: number, stream: number): number {
  return Math.imul(seed ^ 0x9e3779b9, 2 * stream + 1);
}

function ofService(shape: Shape, random: Random, { durationMs }: ScheduleOptions): readonly Scheduled[] {
  const faults: Scheduled[] = [];
  const keepsPromise = shape.syncReplicaCount > 0 && !random.percent(PROMISE_BROKEN_PERCENT);
  for (let atMs = gap(random); atMs <= durationMs; atMs += gap(random)) {
    const fault = serviceFault(random, keepsPromise);
    faults.push({ atMs, service: shape.name, fault });
    // Asked to start, it needs a moment to be something that faults can strike.
    if (fault.kind === "stop") atMs += fault.forMs;
  }
  return faults;
}

function gap(random: Random): number {
  return random.within(random.choose(GAPS));
}

function serviceFault(random: Random, keepsPromise: boolean): ServiceFault {
  const target = random.choose<Target>([
    [3, "primary"],
    [1, "replica"],
  ]);
  const forMs = random.within(random.percent(LONG_PERCENT) ? LONG_MS : SHORT_MS);
  return random.choose<() => ServiceFault>([
    [6, () => ({ kind: "killMember", target })],
    [4, () => ({ kind: "killPostmaster", target })],
    [3, () => ({ kind: "pauseMember", target, forMs })],
    [3, () => ({ kind: "stopProcesses", target, processes: someProcesses(random), forMs })],
    [3, () => ({ kind: "cutNetwork", target, forMs })],
    [2, () => ({ kind: "killGateway" })],
    [2, () => ({ kind: "killPooler" })],
    [3, () => someHa(random, keepsPromise)],
    [3, () => ({ kind: "resize", size: random.percent(50) ? "500/2" : "1000/4" })],
    [2, () => ({ kind: "switchover" })],
    [1, () => ({ kind: "stop", forMs })],
  ])();
}

function someProcesses(random: Random) {
  return random.choose([
    [2, "postgres" as const],
    [2, "patroni" as const],
    [1, "all" as const],
  ]);
}

function someHa(random: Random, keepsPromise: boolean): Fault & { kind: "setHA" } {
  const replicaCount = random.within([keepsPromise ? 1 : 0, MAX_REPLICAS]);
  const syncReplicaCount = random.within([keepsPromise ? 1 : 0, replicaCount]);
  return { kind: "setHA", replicaCount, syncReplicaCount };
}

function ofShared(random: Random, { durationMs, extras = [] }: ScheduleOptions): readonly Scheduled[] {
  const faults: Scheduled[] = [];
  const away = extras.includes("outage") ? OUTAGE_MS : RESTART_MS;
  const later = () => random.within(SHARED_GAP_MS);
  for (let atMs = later() / 2; atMs <= durationMs; atMs += later()) {
    const fault = random.choose<SharedFault>([
      [2, { kind: "killEtcd" }],
      [2, { kind: "killControlPlane", forMs: random.within(away) }],
      [extras.includes("engine") ? 2 : 0, { kind: "restartEngine" }],
    ]);
    faults.push({ atMs: Math.round(atMs), service: null, fault });
    // It cannot be killed again before it is back, which takes a while on a busy machine.
    if (fault.kind === "killControlPlane") atMs += fault.forMs + COMES_BACK_MS;
  }
  return faults;
}
