import { advance, copied } from "./model.ts";
import type { SimulatedClock } from "./simulated-clock.ts";
import { isWritable, NOTHING, type ServiceState, servingLeader } from "./state.ts";

/** The services that there are, at the clock's time; what the platform's face and its faults both work on. */
export class Simulation {
  readonly clock: SimulatedClock;
  /** The networks of VPCs: their ranges by the VPC. */
  readonly vpcs = new Map<string, string>();
  readonly #services = new Map<string, ServiceState>();
  /** The forks among them that copy their parent now. */
  readonly #copying = new Set<string>();
  readonly #watchers = new Set<(serviceId: string) => void>();

  constructor(clock: SimulatedClock) {
    this.clock = clock;
  }

  get nowMs(): number {
    return this.clock.now().getTime();
  }

  /** The service as it is now; nothing at all for one that was never made. */
  read(serviceId: string): ServiceState {
    this.#endCopies();
    const before = this.#services.get(serviceId) ?? NOTHING;
    const current = advance(
      before.upstream ? this.#fed(before, before.upstream.serviceId) : before,
      this.nowMs,
    );
    if (this.#services.has(serviceId)) this.#keep(serviceId, current);
    return current;
  }

  /** As read, of a service that follows the primary of another one. */
  readFrom(serviceId: string, parentId: string): ServiceState {
    const before = this.#services.get(serviceId) ?? NOTHING;
    if (!before.upstream) this.#keep(serviceId, this.#fed(before, parentId));
    return this.read(serviceId);
  }

  /** With what its parent is now; it stands on its parent's ground. */
  #fed(state: ServiceState, parentId: string): ServiceState {
    const parent = this.read(parentId);
    const primary = isWritable(parent, this.nowMs) ? servingLeader(parent) : null;
    const { foundation, configuration } = parent;
    const settings = primary?.settings ?? state.upstream?.settings ?? {};
    const upstream = { serviceId: parentId, data: primary?.data ?? null, configuration, settings };
    return { ...state, foundation, upstream };
  }

  change(serviceId: string, effect: (state: ServiceState, nowMs: number) => ServiceState): ServiceState {
    const changed = advance(effect(this.read(serviceId), this.nowMs), this.nowMs);
    this.#keep(serviceId, changed);
    if (!isWritable(changed, this.nowMs)) this.#breakCopiesOf(serviceId);
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

  #keep(serviceId: string, state: ServiceState): void {
    this.#services.set(serviceId, state);
    if (state.copy.state === "running") this.#copying.add(serviceId);
    else this.#copying.delete(serviceId);
  }

  /** Before anything else is read or changed, so that a copy holds what its parent had at the moment of its end. */
  #endCopies(): void {
    for (const [serviceId, state] of this.#copies()) {
      if (state.copy.untilMs > this.nowMs) continue;
      const { parentId, untilMs } = state.copy;
      const parent = advance(this.#services.get(parentId) ?? NOTHING, untilMs);
      this.#keep(serviceId, copied(state, parent, untilMs));
    }
  }

  #breakCopiesOf(parentId: string): void {
    for (const [serviceId, state] of this.#copies()) {
      if (state.copy.parentId !== parentId) continue;
      this.#keep(serviceId, { ...state, copy: { state: "failed", detail: "the parent's primary is gone" } });
    }
  }

  #copies() {
    return [...this.#copying].flatMap((serviceId) => {
      const state = this.#services.get(serviceId);
      return state?.copy.state === "running" ? [[serviceId, { ...state, copy: state.copy }] as const] : [];
    });
  }

  #lookForChanges(changed: (serviceId: string) => void): void {
    // As they were: whatever is read ends the copies that are due, of other services too.
    for (const [serviceId, before] of new Map(this.#services)) {
      if (visible(this.read(serviceId)) !== visible(before)) changed(serviceId);
    }
  }
}

function visible({ leader, members, gateway, pooler, copy, vpc }: ServiceState): string {
  return JSON.stringify([
    leader?.ordinal,
    members.map(({ ordinal, container, server }) => [ordinal, container, server.kind]),
    [gateway.state, pooler.state, copy.state],
    [vpc.joined, vpc.relays],
  ]);
}
