import { advance } from "./model.ts";
import type { SimulatedClock } from "./simulated-clock.ts";
import { NOTHING, type ServiceState } from "./state.ts";

/** The services that there are, at the clock's time; what the platform's face and its faults both work on. */
export class Simulation {
  readonly clock: SimulatedClock;
  readonly #services = new Map<string, ServiceState>();
  readonly #watchers = new Set<(serviceId: string) => void>();

  constructor(clock: SimulatedClock) {
    this.clock = clock;
  }

  get nowMs(): number {
    return this.clock.now().getTime();
  }

  /** The service as it is now; nothing at all for one that was never made. */
  read(serviceId: string): ServiceState {
    const current = advance(this.#services.get(serviceId) ?? NOTHING, this.nowMs);
    if (this.#services.has(serviceId)) this.#services.set(serviceId, current);
    return current;
  }

  change(serviceId: string, effect: (state: ServiceState, nowMs: number) => ServiceState): ServiceState {
    const changed = advance(effect(this.read(serviceId), this.nowMs), this.nowMs);
    this.#services.set(serviceId, changed);
    return changed;
  }

  /** Calls for every service whose containers or leader changed, as an engine's events would, until the signal aborts. */
  watch(changed: (serviceId: string) => void, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#watchers.add(changed);
    signal.addEventListener("abort", () => this.#watchers.delete(changed), { once: true });
    this.clock.follow(() => this.#lookForChanges(changed), signal);
  }

  tell(serviceId: string): void {
    for (const changed of this.#watchers) changed(serviceId);
  }

  #lookForChanges(changed: (serviceId: string) => void): void {
    for (const [serviceId, before] of this.#services) {
      if (visible(this.read(serviceId)) !== visible(before)) changed(serviceId);
    }
  }
}

function visible({ leader, members }: ServiceState): string {
  return JSON.stringify([
    leader?.ordinal,
    members.map(({ ordinal, container, server }) => [ordinal, container, server.kind]),
  ]);
}
